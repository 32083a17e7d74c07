/** A member of an options object: its check, and its description for error messages. `T` is the type of its values. */
export type Member<T = unknown> = readonly [fits: (value: unknown) => boolean, what: string, of?: T];

/** An object with some of these members. */
export type Some<Members> = { readonly [Name in keyof Members]?: ValueOf<Members[Name]> | undefined };

type ValueOf<M> = M extends Member<infer T> ? T : never;

export const whole = (from: number, to: number): Member<number> => [
  (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
  `an integer from ${from} to ${to}`,
];
export const oneOf = <const T>(...values: readonly T[]): Member<T> => [
  (value) => values.some((one) => one === value),
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
];
export const text = (most: number): Member<string> => [
  (value) => typeof value === 'string' && value !== '' && value.length <= most,
  `a string of 1 to ${most} characters`,
];
export const texts: Member<readonly string[]> = [
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'a list of strings',
];
export const flag: Member<boolean> = [(value) => typeof value === 'boolean', 'true or false'];

export const timeForm = 'a time such as 2027-03-08T09:00:00Z';
const timePattern = /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Returns whether a value is a valid ISO 8601 time in UTC, in the years 2000 to 2999. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !timePattern.test(value)) return false;
  const parsed = new Date(value);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 19) === value.slice(0, 19);
}

export const time: Member<string> = [isTime, timeForm];

/** Throws a RangeError for a value that is not a time. */
export function requireTime(value: unknown): asserts value is string {
  if (!isTime(value)) throw new RangeError(`A clock: expected ${timeForm}, got ${JSON.stringify(value)}.`);
}

/**
 * Rejects unknown members and invalid values, because a mistyped fault never matches and so hides a defect of the
 * client. Ignores undefined members, unless they are required. Throws a RangeError that names the member and what it
 * expects.
 */
export function requireMembers<Members extends Readonly<Record<string, Member>>, Name extends keyof Members = never>(
  what: string,
  given: object,
  members: Members,
  required: readonly Name[] = [],
): asserts given is Some<Members> & { readonly [K in Name]: ValueOf<Members[K]> } {
  const known = new Map<unknown, Member>(Object.entries(members));
  const values = new Map<unknown, unknown>(Object.entries(given));
  const missing = required.find((name) => values.get(name) === undefined);
  if (missing !== undefined)
    throw new RangeError(`${what}: ${String(missing)} is missing; expected ${known.get(missing)?.[1]}.`);
  for (const [name, value] of values) {
    if (value === undefined) continue;
    const member = known.get(name);
    if (member === undefined) {
      throw new RangeError(`${what}: unknown member '${name}' (known: ${[...known.keys()].join(', ')}).`);
    }
    const [fits, should] = member;
    if (!fits(value)) throw new RangeError(`${what}: ${name}: expected ${should}, got ${JSON.stringify(value)}.`);
  }
}

/** A member of an options object: its check, and its description for error messages. */
export type Member = readonly [fits: (value: unknown) => boolean, what: string];

export const whole = (from: number, to: number): Member => [
  (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
  `an integer from ${from} to ${to}`,
];
export const oneOf = (...values: readonly unknown[]): Member => [
  (value) => values.includes(value),
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
];
export const text = (most: number): Member => [
  (value) => typeof value === 'string' && value !== '' && value.length <= most,
  `a string of 1 to ${most} characters`,
];
export const texts: Member = [
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'a list of strings',
];
export const flag: Member = [(value) => typeof value === 'boolean', 'true or false'];

export const timeForm = 'a time such as 2027-03-08T09:00:00Z';
const timePattern = /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Returns whether a value is a valid ISO 8601 time in UTC, in the years 2000 to 2999. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !timePattern.test(value)) return false;
  const parsed = new Date(value);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 19) === value.slice(0, 19);
}

export const time: Member = [isTime, timeForm];

/** Throws a RangeError for a value that is not a time. */
export function requireTime(value: unknown): asserts value is string {
  if (!isTime(value)) throw new RangeError(`A clock: expected ${timeForm}, got ${JSON.stringify(value)}.`);
}

/**
 * Rejects unknown members and invalid values, because a mistyped fault never matches and so hides a defect of the
 * client. Ignores undefined members, unless they are required. Throws a RangeError that names the member and what it
 * expects.
 */
export function requireMembers<T extends object>(
  what: string,
  given: object,
  members: Readonly<Record<keyof T, Member>>,
  required: readonly (keyof T & string)[] = [],
): asserts given is T {
  const known = new Map(Object.entries<Member>(members));
  const values = new Map(Object.entries(given));
  const missing = required.find((name) => values.get(name) === undefined);
  if (missing !== undefined)
    throw new RangeError(`${what}: ${missing} is missing; expected ${known.get(missing)?.[1]}.`);
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

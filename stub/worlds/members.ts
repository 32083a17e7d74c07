/** What a member of an object that a test gives may be: whether a value fits, and in words. */
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
export const flag: Member = oneOf(true, false);

/**
 * Refuses an object with members that mean nothing, or that cannot be: a fault that never strikes looks like a client
 * that takes it well. Members that are undefined are left out. Throws a RangeError that says which, and what it should
 * be.
 */
export function requireMembers<T extends object>(
  what: string,
  given: object,
  members: Readonly<Record<keyof T, Member>>,
): asserts given is T {
  const known = new Map(Object.entries<Member>(members));
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const member = known.get(name);
    if (member === undefined) {
      throw new RangeError(`${what}: unknown member '${name}' (known: ${[...known.keys()].join(', ')}).`);
    }
    const [fits, should] = member;
    if (!fits(value)) throw new RangeError(`${what}: ${name}: expected ${should}, got ${JSON.stringify(value)}.`);
  }
}

import { z } from 'zod';
import { brief } from '../../suites/json.ts';

export const whole = (from: number, to: number) => z.int().min(from).max(to);
export const text = (most: number) => z.string().min(1).max(most);

export const timeForm = 'a time such as 2027-03-08T09:00:00Z';

/** An ISO 8601 time in UTC, in the years 2000 to 2999. */
export const time = z.iso
  .datetime({ abort: true, error: `expected ${timeForm}` })
  .refine((given) => /^2/.test(given), `expected ${timeForm}`);

/** An object that fits `T` if its type is right: no schema describes it further. */
export const object = <T extends object>(form = 'an object') =>
  z.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), `expected ${form}`);
export const func = <T>() => z.custom<T>((value) => typeof value === 'function', 'expected a function');

/**
 * Validates options. Schemas reject unknown members, because a mistyped fault never matches and so hides a defect of
 * the client. Throws a RangeError that names each invalid member and what the member expects.
 */
export function checked<Schema extends z.ZodType>(what: string, schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const known = schema instanceof z.ZodObject ? ` (known: ${Object.keys(schema.shape).join(', ')})` : '';
  const problems = parsed.error.issues.map(({ code, path, message, input }) => {
    const advice = code === 'unrecognized_keys' && path.length === 0 ? known : '';
    const got = code === 'unrecognized_keys' || input === undefined ? advice : `, got ${brief(input)}`;
    return [...(path.length === 0 ? [] : [path.join('.')]), message + got].join(': ');
  });
  throw new RangeError(`${what}: ${problems.join('; ')}.`);
}

/** Sets of tests that take minutes. */
type TestSet = 'attacks' | 'blind' | 'clients' | 'contract' | 'detection' | 'measure' | 'slow' | 'staging' | 'variants';

const named: readonly string[] = (process.env.TCK_WHOLE ?? '').split(',');

/**
 * Whether all of a set is tried, and not a sample of it: TCK_WHOLE names sets, with commas between them, or `all`.
 *
 * A test asks this to choose between all of its cases and some, so that `npm test` alone ends in two minutes. `slow`
 * is what starts many processes or browsers, or makes many runs: a file that cannot be sampled stands in the list of
 * vitest.config.ts, and is left out as a whole. Without a set a test asks for `all`, which is `npm run prove`.
 */
export function isTriedWhole(set?: TestSet): boolean {
  return named.includes('all') || (set !== undefined && named.includes(set));
}

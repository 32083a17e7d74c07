/** Sets of tests that take several minutes. */
type TestSet =
  | 'attacks'
  | 'clients'
  | 'contract'
  | 'detection'
  | 'good-clients'
  | 'measure'
  | 'slow'
  | 'staging'
  | 'variants';

const named: readonly string[] = (process.env.TCK_WHOLE ?? '').split(',');

/**
 * Returns whether to run all of a set instead of a sample. TCK_WHOLE lists sets, separated by commas, or is `all`.
 *
 * Tests use it to choose between all cases and a sample, so that `npm test` ends within two minutes. The set `slow`
 * contains tests that start many processes or browsers, or many runs. The list in vitest.config.ts excludes files that
 * cannot be sampled. Tests without a set need `all`.
 */
export function isTriedWhole(set?: TestSet): boolean {
  return named.includes('all') || (set !== undefined && named.includes(set));
}

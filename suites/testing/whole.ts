/** Sets of tests that take minutes; `slow` has the files that vitest.config.ts lists. */
type TestSet = 'attacks' | 'blind' | 'clients' | 'detection' | 'measure' | 'slow' | 'staging' | 'variants';

const named: readonly string[] = (process.env.TCK_WHOLE ?? '').split(',');

/** Whether all of a set is tried, and not a sample of it: TCK_WHOLE names sets, with commas between them, or `all`. */
export function isTriedWhole(set?: TestSet): boolean {
  return named.includes('all') || (set !== undefined && named.includes(set));
}

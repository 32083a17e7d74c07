/** Known failures: `--known-failures FILE`, and `--update-known-failures`, which proposes entries and invents nothing. */
export { applyKnownFailures, excused } from './known-failures/apply.ts';
export { type KnownFailure, loadKnownFailures } from './known-failures/load.ts';
export { proposeKnownFailures } from './known-failures/propose.ts';

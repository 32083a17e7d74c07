import { confirmations, wrongPresentations } from './confirmations.ts';
import type { Flow } from './flow.ts';
import { expiring, idsOfAnotherAccount, idsOfAnotherWorkspace, racing } from './worthless-ids.ts';

/** Every flow, in the order in which those of one lane run. */
export const flows: readonly Flow[] = [
  confirmations,
  wrongPresentations,
  idsOfAnotherWorkspace,
  idsOfAnotherAccount,
  racing,
  expiring,
];

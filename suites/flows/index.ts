import { confirmations, wrongPresentations } from './confirmations.ts';
import { balances, proposalsCostNothing } from './credits.ts';
import type { Flow } from './flow.ts';
import { badProposals, proposals, waysRound } from './proposals.ts';
import { expiring, foreignIds, racing } from './worthless-ids.ts';

/** Every flow, in the order in which those of one lane run. */
export const flows: readonly Flow[] = [
  balances,
  proposalsCostNothing,
  proposals,
  badProposals,
  waysRound,
  confirmations,
  wrongPresentations,
  foreignIds,
  racing,
  expiring,
];

import { badCredentials, formerKeys } from './authentication.ts';
import { malformedBodies, malformedContentRequests, malformedProposals, omittedBodies } from './bodies.ts';
import { confirmations, wrongPresentations } from './confirmations.ts';
import { balances, proposalsCostNothing } from './credits.ts';
import type { Flow } from './flow.ts';
import { overTheLimit } from './limits.ts';
import { ambiguousRequest, boundaryErrors, imageRefusals, plainRequests } from './plain-requests.ts';
import { badProposals, proposals, waysRound } from './proposals.ts';
import { closedSurfaces } from './surface.ts';
import { unknownTools } from './unknown-tools.ts';
import { expiring, foreignIds, racing } from './worthless-ids.ts';

/** Every flow, in the order in which those of one lane run. */
export const flows: readonly Flow[] = [
  plainRequests,
  boundaryErrors,
  ambiguousRequest,
  imageRefusals,
  badCredentials,
  formerKeys,
  closedSurfaces,
  unknownTools,
  malformedBodies,
  malformedContentRequests,
  malformedProposals,
  omittedBodies,
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
  overTheLimit,
];

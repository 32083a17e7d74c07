import { pipeline } from '../model/predict.ts';
import { issues } from '../model/rows/arguments.ts';
import { credentials, surfaces } from '../model/rows/credentials.ts';
import { errors, outcomes } from '../model/rows/envelopes.ts';
import { codes, headers } from '../model/rows/headers.ts';
import { results } from '../model/rows/results.ts';
import { unknownNames } from '../model/rows/unknown-tools.ts';
import type { Rule } from '../model/rule.ts';
import { badContentRequests, badProposals, badReadings, oddReadings } from './arguments/bad-arguments.ts';
import { badCredentials, refusedKeys } from './authentication/bad-credentials.ts';
import { chunkedBodies, malformedBodies, omittedBodies, slowBodies, writtenOtherwise } from './bodies/bodies.ts';
import { confirmingAtOnce } from './confirmations/burst.ts';
import { changedOpenRequest, changedRequests } from './confirmations/changed-request.ts';
import { confirmations, racing } from './confirmations/dispatched.ts';
import { foreignIds, usedIds } from './confirmations/used-id.ts';
import { wrongPresentations } from './confirmations/wrong-presentations.ts';
import { contentRequests } from './content-requests/content-requests.ts';
import { separatePieces } from './content-requests/isolation.ts';
import { readBack, titlesOfRequests } from './content-requests/titles.ts';
import { balances, balancesAfterSpending, readingsOfBalance } from './credits/balances.ts';
import { negotiated } from './envelopes/envelopes.ts';
import { aliveInTime, expiring } from './expiry/expiring.ts';
import { claimedConfirmations } from './image-proposals/claimed-confirmations.ts';
import { proposals, proposalsCostNothing } from './image-proposals/proposals.ts';
import { wrongPlaces } from './image-proposals/wrong-places.ts';
import { fetchingItems, foreignItems } from './library/fetching.ts';
import { searchingKnowledge, searchingLibrary } from './library/searching.ts';
import { asOthers, confirmingAsOther } from './other-keys/other-keys.ts';
import { overTheLimit } from './rate-limit/over-the-limit.ts';
import { confirmingOverTheLimit, otherKeyMeanwhile, waitedOut } from './rate-limit/waited-out.ts';
import { usualReadings, weeksLater } from './schedule/usual-readings.ts';
import type { Story } from './story.ts';
import { unknownTools } from './unknown-tools/unknown-tools.ts';
import { ambiguousReadings } from './workspaces/ambiguous.ts';
import { namedWorkspaces } from './workspaces/named-workspaces.ts';
import { lenientWorkspaces, readingByItself, wrongWorkspaces } from './workspaces/wrong-workspaces.ts';

/**
 * All stories. Those that do not run side by side run in this order. The others begin in this order: readings that
 * succeed come first, because a server that charges for them would disturb the comparison of balances.
 */
export const stories: readonly Story[] = [
  usualReadings,
  searchingLibrary,
  searchingKnowledge,
  fetchingItems,
  oddReadings,
  badCredentials,
  refusedKeys,
  unknownTools,
  malformedBodies,
  omittedBodies,
  chunkedBodies,
  writtenOtherwise,
  balances,
  proposalsCostNothing,
  contentRequests,
  confirmations,
  usedIds,
  racing,
  proposals,
  badProposals,
  wrongPlaces,
  claimedConfirmations,
  badReadings,
  negotiated,
  lenientWorkspaces,
  namedWorkspaces,
  ...readingByItself,
  ambiguousReadings,
  wrongWorkspaces,
  titlesOfRequests,
  separatePieces,
  badContentRequests,
  ...asOthers,
  foreignItems,
  slowBodies,
  readingsOfBalance,
  wrongPresentations,
  changedRequests,
  changedOpenRequest,
  foreignIds,
  confirmingAsOther,

  aliveInTime,
  expiring,
  confirmingAtOnce,
  balancesAfterSpending,
  overTheLimit,
  otherKeyMeanwhile,
  confirmingOverTheLimit,
  waitedOut,

  readBack,
  weeksLater,
];

/** Requirements of the model, which belong to no story. */
const model: readonly Rule[] = [
  ...headers,
  ...codes,
  ...pipeline,
  ...credentials,
  ...surfaces,
  ...unknownNames,
  ...issues,
  ...outcomes,
  ...errors,
  ...results,
];

export const rules: readonly Rule[] = [...stories.flatMap(({ requirements }) => requirements), ...model];

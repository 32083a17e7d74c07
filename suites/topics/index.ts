import type { Rule } from '../expectations/rule.ts';
import { pipeline } from '../model/predict.ts';
import { issues } from '../model/rows/arguments.ts';
import { codes } from '../model/rows/codes.ts';
import { credentials } from '../model/rows/credentials.ts';
import { errors, outcomes } from '../model/rows/envelopes.ts';
import { headers } from '../model/rows/headers.ts';
import { results } from '../model/rows/results.ts';
import { surfaces } from '../model/rows/surfaces.ts';
import { unknownNames } from '../model/rows/unknown-tools.ts';
import { badArguments, badPairs } from './arguments/bad-arguments.ts';
import { oddReadings } from './arguments/odd-readings.ts';
import { badCredentials } from './authentication/bad-credentials.ts';
import { formerKeys } from './authentication/former-keys.ts';
import { slowBodies } from './authentication/slow-bodies.ts';
import { chunkedBodies } from './bodies/chunked.ts';
import { malformedBodies, malformedContentRequests, malformedProposals } from './bodies/malformed-bodies.ts';
import { omittedBodies } from './bodies/omitted-bodies.ts';
import { writtenOtherwise } from './bodies/written-otherwise.ts';
import { confirmingAtOnce } from './confirmations/burst.ts';
import { changedRequests } from './confirmations/changed-request.ts';
import { confirmations } from './confirmations/dispatched.ts';
import { foreignIds } from './confirmations/foreign-ids.ts';
import { usedIdCostsNothing, usedIds } from './confirmations/used-id.ts';
import { wrongPresentations } from './confirmations/wrong-presentations.ts';
import { contentRequests, creatingCostsNothing, foreignRequests } from './content-requests/content-requests.ts';
import { piecesOfAccounts, piecesOfWorkspaces } from './content-requests/isolation.ts';
import { readBack } from './content-requests/read-back.ts';
import { titlesOfRequests } from './content-requests/titles.ts';
import { unnamedRequests } from './content-requests/unnamed-workspace.ts';
import { wrongRequests } from './content-requests/wrong-requests.ts';
import { balances, balancesAfterSpending, readingsOfBalance } from './credits/balances.ts';

import { ambiguousRequest, boundaryErrors, imageRefusals, plainRequests } from './envelopes/envelopes.ts';
import { aliveInTime, expiring } from './expiry/expiring.ts';
import { badProposals } from './image-proposals/bad-proposals.ts';
import { confirmingByArgument, confirmingByHeader } from './image-proposals/claimed-confirmations.ts';
import { resemblingIds, valuesForIds } from './image-proposals/near-miss-ids.ts';
import { proposals } from './image-proposals/proposals.ts';
import { proposalsCostNothing } from './image-proposals/spends-nothing.ts';
import { unnamedProposals } from './image-proposals/unnamed-workspace.ts';
import { wrongPlaces } from './image-proposals/wrong-places.ts';
import { searchingKnowledge } from './knowledge/searching.ts';
import {
  lenientBodies,
  lenientContentRequests,
  lenientProposals,
  lenientReadings,
  lenientWorkspaces,
  negotiated,
} from './leniencies/leniencies.ts';
import { fetchingItems } from './library/fetching.ts';
import { foreignItems } from './library/foreign-items.ts';
import { searchingLibrary } from './library/searching.ts';
import { confirmingAsOther, creatingAsOthers, proposingAsOthers, readingAsOthers } from './other-keys/other-keys.ts';
import { racing } from './race/racing.ts';
import { otherKeyMeanwhile } from './rate-limit/other-key-meanwhile.ts';
import { overTheLimit } from './rate-limit/over-the-limit.ts';
import { waitedOut } from './rate-limit/waited-out.ts';
import { usualReadings } from './schedule/usual-readings.ts';
import { weeksLater } from './schedule/weeks-later.ts';
import type { Story } from './story.ts';
import { closedSurfaces } from './surface/closed-surfaces.ts';
import { unknownTools } from './unknown-tools/unknown-tools.ts';
import { ambiguousProposals } from './workspaces/ambiguous-proposals.ts';
import { ambiguousReadings } from './workspaces/ambiguous-readings.ts';
import { ambiguousRequests } from './workspaces/ambiguous-requests.ts';
import { beyondReach, creatingBeyondReach, proposingBeyondReach } from './workspaces/beyond-reach.ts';
import { readingAsDefaulted, readingAsPinned, readingAsSole } from './workspaces/by-itself.ts';
import { listedWorkspaces } from './workspaces/listed-workspaces.ts';
import { namedWorkspaces } from './workspaces/named-workspaces.ts';
import { wrongWorkspaces } from './workspaces/wrong-workspaces.ts';

/** All stories. Those that do not run side by side run in this order. */
export const stories: readonly Story[] = [
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
  chunkedBodies,
  slowBodies,
  writtenOtherwise,
  lenientBodies,
  balances,
  proposalsCostNothing,
  creatingCostsNothing,
  confirmations,
  usedIds,
  racing,
  proposals,
  unnamedProposals,
  badProposals,
  wrongPlaces,
  confirmingByHeader,
  confirmingByArgument,
  resemblingIds,
  valuesForIds,
  badArguments,
  badPairs,
  oddReadings,
  lenientReadings,
  negotiated,
  lenientWorkspaces,
  namedWorkspaces,
  readingAsPinned,
  readingAsDefaulted,
  readingAsSole,
  ambiguousReadings,
  wrongWorkspaces,
  listedWorkspaces,
  beyondReach,
  contentRequests,
  titlesOfRequests,
  piecesOfWorkspaces,
  piecesOfAccounts,
  wrongRequests,
  foreignRequests,
  unnamedRequests,
  lenientContentRequests,
  lenientProposals,
  ambiguousRequests,
  creatingBeyondReach,
  readingAsOthers,
  proposingAsOthers,
  creatingAsOthers,
  usualReadings,
  searchingLibrary,
  fetchingItems,
  foreignItems,
  searchingKnowledge,
  ambiguousProposals,
  proposingBeyondReach,
  balancesAfterSpending,
  readingsOfBalance,
  changedRequests,
  foreignIds,
  wrongPresentations,
  confirmingAsOther,

  aliveInTime,
  expiring,
  confirmingAtOnce,
  usedIdCostsNothing,
  overTheLimit,
  otherKeyMeanwhile,
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

/** The rules of all requirements. */
export const rules: readonly Rule[] = [...stories.flatMap(({ requirements }) => requirements), ...model];

import { ambiguousProposals, ambiguousReadings, ambiguousRequests } from './ambiguous.ts';
import { badCredentials, formerKeys } from './authentication.ts';
import {
  malformedBodies,
  malformedContentRequests,
  malformedProposals,
  omittedBodies,
  writtenOtherwise,
} from './bodies.ts';
import { confirmations, wrongPresentations } from './confirmations.ts';
import { contentRequests, foreignRequests, titlesOfRequests, unnamedRequests, wrongRequests } from './content.ts';
import { balances, proposalsCostNothing } from './credits.ts';
import type { Flow } from './flow.ts';
import { expiring, foreignIds, racing } from './invalid-ids.ts';
import {
  lenientBodies,
  lenientContentRequests,
  lenientProposals,
  lenientReadings,
  lenientWorkspaces,
  negotiated,
} from './leniencies.ts';
import { otherKeyMeanwhile, overTheLimit, waitedOut } from './limits.ts';
import { badArguments, badPairs, oddReadings } from './odd-values.ts';
import { confirmingAsOther, creatingAsOthers, proposingAsOthers, readingAsOthers } from './other-keys.ts';
import { ambiguousRequest, boundaryErrors, imageRefusals, plainRequests } from './plain-requests.ts';
import { badProposals, proposals } from './proposals.ts';
import { fetchingItems, searchingKnowledge, searchingLibrary, usualReadings } from './reading.ts';
import { closedSurfaces } from './surface.ts';
import { unknownTools } from './unknown-tools.ts';
import {
  beyondReach,
  creatingBeyondReach,
  listedWorkspaces,
  proposingBeyondReach,
  wrongWorkspaces,
} from './unreachable.ts';
import { waysRound } from './ways-round.ts';
import { namedWorkspaces, readingAsDefaulted, readingAsPinned, readingAsSole } from './workspaces.ts';

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
  writtenOtherwise,
  lenientBodies,
  balances,
  proposalsCostNothing,
  proposals,
  badProposals,
  waysRound,
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
  searchingKnowledge,
  ambiguousProposals,
  proposingBeyondReach,
  confirmations,
  foreignIds,
  wrongPresentations,
  confirmingAsOther,
  racing,
  expiring,
  overTheLimit,
  otherKeyMeanwhile,
  waitedOut,
];

import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Completed, isCompleted } from '../../exchange/exchange.ts';
import { refusal } from '../../model/answers.ts';
import { decisive } from '../../model/finding.ts';
import { row } from '../../model/rule.ts';
import { isDispatch } from '../../model/world/ids.ts';
import { atHome, isCorrect, isLive, type Presented, presented } from '../../model/world/presentation.ts';
import type { Seen } from '../../model/world/seen.ts';
import { ownWorkspace, reachOf } from '../requests/places.ts';
import {
  asOtherAccount,
  briefFor,
  confirming,
  elsewhere,
  forUnknownBoard,
  neverIssued,
  type Proposal,
  propose,
  proposing,
  without,
} from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toSpend } from '../story.ts';
import { dispatchedControl, dispatchesAnyStatus, presents } from './invalid-ids.ts';

const requestMissing = row('confirmations.request-missing-refused', {
  must: `The server MUST return ${quoted.invalidArguments} for a confirmation that omits a required field.`,
  source: 'images.generate, request; Confirmation of a spending action, second row',
  applies: presents(
    (attempt) => isLive(attempt) && atHome(attempt) && attempt.changed.length === 0 && attempt.missing.length > 0,
  ),
  control: dispatchedControl,
  answers: [refusal(refusalCodes.invalidArguments)],
  hint: 'Require board, brief, count and shape on both calls; refuse a request without one of them before it runs.',
});

/** Whether the request and the proposal both name their workspace, or both omit it. */
export const isNamedAlike = ({ issued }: Presented, { request }: Completed) =>
  (issued?.proposal.request.args?.workspace === undefined) === (request.args?.workspace === undefined);

const unnamedWorkspace = row('confirmations.unnamed-workspace', {
  must: 'The server MUST accept a confirmation in the workspace of the proposal, with or without `workspace`.',
  source: 'Confirmation of a spending action, second row; images.generate, call 2; Authentication, 6',
  applies: presents((attempt, exchange) => isCorrect(attempt) && !isNamedAlike(attempt, exchange)),
  // The control is any dispatch of this ID, such as one that names the workspace as the proposal did.
  control: (exchange, seen) =>
    (presented(exchange, seen)?.issued?.presentations ?? []).some(({ outcome }) => outcome === 'dispatched') ||
    'confirmations.refusals-leave-open',
  expect: (exchange, attempt, seen) => {
    const finding = dispatchesAnyStatus(exchange, attempt, seen);
    // A later dispatch of the ID shows that it had not expired.
    return finding && decisive(finding);
  },
  hint: 'Compare the resolved workspaces of the two calls, not their workspace arguments.',
});

const refusalsLeaveOpen = row('confirmations.refusals-leave-open', {
  must: 'The server MUST keep a confirmation ID valid after it refuses a request that presents the ID.',
  source: 'Confirmation of a spending action, second to fourth row',
  applies: presents((attempt, exchange, seen) => {
    const isJudged = isNamedAlike(attempt, exchange) || isDispatch(exchange);
    return isCorrect(attempt) && isJudged && attempt.before.length > 0 && !wasInvalidAtFirst(attempt, seen);
  }),
  control: dispatchedControl,
  expect: (exchange, attempt, seen) => {
    const finding = dispatchesAnyStatus(exchange, attempt, seen);
    const refused = attempt.before.map((presentation) => presentation.exchange).filter(isCompleted);
    return finding && { ...finding, exchanges: [...refused.slice(-4), exchange] };
  },
  hint: 'Validate the whole request first, and consume the confirmation atomically when you dispatch.',
});

/** Whether the first presentation had no error of its own and was refused as invalid. Then no refusal ended the ID. */
function wasInvalidAtFirst({ before }: Presented, seen: Seen): boolean {
  const [first] = before;
  if (first?.outcome !== 'invalid' || !isCompleted(first.exchange)) return false;
  const attempt = presented(first.exchange, seen);
  return attempt !== undefined && atHome(attempt) && attempt.missing.length === 0;
}

/** Checks that an ID stays valid after presentations that the server must refuse. */
export const wrongPresentations = story('invalid confirmations', {
  needs: toSpend,
  steps: async (t) => {
    const { own, other, byItself } = await reachOf(t, 'primary');
    const place = own.board === undefined ? t.here({ board: t.setting('board') }) : { ...own };
    const proposal = await propose(t, 'propose', { ...place, brief: briefFor(t, 'shown elsewhere') });
    // The key reaches one workspace only.
    const isBeyond = t.has('sole') && (await ownWorkspace(t, 'sole')) !== proposal.args.workspace;
    const beyond = isBeyond ? { ...confirming(proposal), as: 'sole' as const } : undefined;
    // A server may dispatch in the own workspace of a key. The ID is dispatched below, so this costs no further image.
    const byOthers: [string, StoryRequest][] = [];
    for (const as of t.present(['defaulted', 'pinned'])) {
      if (other?.board === undefined || (await ownWorkspace(t, as)) !== other.workspace) continue;
      const args = { ...without(proposal.args, 'workspace'), board: other.board };
      byOthers.push([`as ${as} in its own workspace`, { ...confirming({ ...proposal, args }), as }]);
    }
    for (const [way, request] of [...wrongWays(t, proposal, place, beyond), ...byOthers]) {
      if (request === undefined) continue;
      const reply = await t.send(`present the ID ${way}`, { tool: 'images.generate', ...request });
      if (isDispatch(reply)) return t.cannot(`the server dispatched a request that presented the ID ${way}`);
    }
    const nobodys = forUnknownBoard(t, proposing(t, place), 'board of nobody');
    await t.send('propose for a board that does not exist', nobodys);
    if (byItself && own.board !== undefined) {
      const unplaced = { ...proposal, args: without(proposal.args, 'workspace') };
      const reply = await t.send('confirm without naming the workspace', confirming(unplaced));
      if (isDispatch(reply)) return;
    }
    await t.send('confirm', confirming(proposal));
  },
  requirements: [requestMissing, unnamedWorkspace, refusalsLeaveOpen],
});

/** Attempts with an ID in the wrong place, and with an ID that was never issued, because some servers limit them. */
const attempts = { wrongPlace: 3, neverIssued: 5 };

function wrongWays(
  t: Steps,
  proposal: Proposal,
  { workspace }: Args,
  beyond: StoryRequest | undefined,
): [way: string, request: Partial<StoryRequest> | undefined][] {
  const nowhere = { ...confirming(proposal, { workspace: t.unknownWorkspace() }), invented: ['workspace'] };
  const lacking = (...names: string[]) => confirming({ ...proposal, args: without(proposal.args, ...names) });
  const unplaced = t.has('ambiguous') ? { ...lacking('workspace'), as: 'ambiguous' as const } : undefined;
  const repeated = (way: string, request: StoryRequest | undefined, length = attempts.wrongPlace) =>
    Array.from({ length }, (): [string, StoryRequest | undefined] => [way, request]);
  return [
    ['without the other arguments', { args: { workspace, confirmation_id: proposal.id } }],
    ['without the brief', lacking('brief')],
    ['without brief and shape', lacking('brief', 'shape')],
    ['without board and count', lacking('board', 'count')],
    ...repeated('in another workspace', elsewhere(t, proposal)),
    ...repeated('as another account', asOtherAccount(t, proposal)),
    ['in a workspace that does not exist', nowhere],
    ['as a key that does not reach the workspace', beyond],
    ['without a workspace, as a key that reaches several', unplaced],
    ...repeated('with a similar one that was never issued', neverIssued(t, proposal), attempts.neverIssued),
  ];
}

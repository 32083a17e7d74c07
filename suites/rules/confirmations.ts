import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, isRefusal } from '../history/exchange.ts';
import { brief } from '../json.ts';
import { type Finding, first } from './finding.ts';
import { declinedForCredits } from './match/declined.ts';
import { fieldIs, fieldIsText } from './match/fields.ts';
import { describe, refuses } from './match/responses.ts';
import { atHome, isCorrect, isFresh, isLive, type Presented, presented } from './presentation.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import { isDispatch, isProposal } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

const boundHint = 'Store the proposed request with its id and run that one, whatever the second call changes.';

/** A presentation of an id that this says something about, and that the account could pay. */
function presentation(exchange: Completed, seen: Seen, wanted: (it: Presented) => boolean): boolean {
  const it = presented(exchange, seen);
  return it !== undefined && declinedForCredits(exchange) === undefined && wanted(it);
}

/** Success with the status `dispatched`. */
export function dispatches(exchange: Completed, seen: Seen, hint: string): Finding | undefined {
  if (isDispatch(exchange) && body(exchange).status === 'dispatched') return undefined;
  const shaky = seen.knowledge.clockShared && isRefusal(exchange, refusalCodes.confirmationInvalid);
  return {
    expected: 'ok true with status "dispatched"',
    actual: describe(exchange),
    hint,
    exchanges: [exchange],
    ...(shaky ? { shaky } : {}),
  };
}

/** A run was started, whatever its status is called. */
function runs(exchange: Completed, seen: Seen, hint: string): Finding | undefined {
  return isDispatch(exchange) ? undefined : dispatches(exchange, seen, hint);
}

/** Any confirmation that was dispatched: the twin of what must be dispatched as well, or must not. */
const anyDispatch = (_: Completed, seen: Seen): Twin => ({
  succeeded: seen.ids.anyDispatched,
  promisedBy: 'confirmations.dispatched',
});

/** The same request, proposed with success. */
export const proposedTwin = (exchange: Completed, seen: Seen): Twin => ({
  succeeded: wasProposed(exchange, seen, true),
  promisedBy: 'image-proposals.proposed',
});

/** @param exact with the same brief */
function wasProposed({ sender, request }: Completed, seen: Seen, exact: boolean): boolean {
  const { confirmation_id: _, ...args } = request.args ?? {};
  return seen.successes.has({ role: sender.role, tool: 'images.generate', args, exact });
}

/** The proposal, what came between, and the presentation at hand. */
function evidence(exchange: Completed, seen: Seen): Completed[] {
  const proposal = presented(exchange, seen)?.issued?.proposal;
  return proposal === undefined ? [exchange] : [proposal, exchange];
}

/** At most 5 minutes old, presented for the first time, and no other id was issued or dispatched in between. */
const presentedNext = (it: Presented, exchange: Completed, seen: Seen) =>
  it.before.length === 0 && isFresh(it) && it.issued !== undefined && !seen.ids.disturbed(it.issued, exchange);

const dispatched = rule('confirmations.dispatched', {
  applies: (exchange, seen) =>
    presentation(exchange, seen, (it) => isCorrect(it) && (presentedNext(it, exchange, seen) || isDispatch(exchange))),
  expect: (exchange, seen) => {
    const finding = dispatches(
      exchange,
      seen,
      'Start the run when the proposed request comes back with its confirmation_id.',
    );
    return finding && { ...finding, exchanges: evidence(exchange, seen) };
  },
});

/** An argument of the proposal, with the field of the reply that shows it. */
type Bound = { argument: 'count' | 'shape' | 'board'; field: 'count' | 'aspect_ratio' | 'board_id' };

/**
 * A live id at home, presented with this argument changed, runs as it was proposed.
 * 1. What is dispatched is always judged: the reply shows the proposed value.
 * 2. A refusal of another board conforms.
 * 3. Another refusal is a finding if the id is presented next after its proposal, only this argument is changed (a new
 *    brief may be refused), the request with the new value was proposed with success, and another confirmation is
 *    dispatched afterwards.
 */
function runsAsProposed(id: RequirementId, { argument, field }: Bound): Rule {
  return rule(id, {
    applies: (exchange, seen) =>
      presentation(exchange, seen, (it) => {
        const live = isLive(it) && atHome(it) && it.missing.length === 0 && it.changed.includes(argument);
        if (!live || isDispatch(exchange)) return live;
        if (!presentedNext(it, exchange, seen)) return false;
        if (argument === 'board') return isRefusal(exchange);
        return it.changed.length === 1 && wasProposed(exchange, seen, false);
      }),
    // A refusal tells of the change only where another confirmation was dispatched afterwards.
    twin: (exchange, seen) => ({
      succeeded: isDispatch(exchange) || seen.ids.dispatchedAfter(exchange),
      promisedBy: 'confirmations.dispatched',
    }),
    expect: (exchange, seen) => {
      if (argument === 'board' && isRefusal(exchange)) return undefined;
      const proposal = presented(exchange, seen)?.issued?.proposal;
      const original = proposal?.request.args?.[argument];
      const finding = first(runs(exchange, seen, boundHint), fieldIs(exchange, field, original, boundHint));
      return finding && { ...finding, exchanges: evidence(exchange, seen) };
    },
  });
}

const requestMissing = rule('confirmations.request-missing-refused', {
  applies: (exchange, seen) =>
    presentation(exchange, seen, (it) => isLive(it) && atHome(it) && it.changed.length === 0 && it.missing.length > 0),
  twin: anyDispatch,
  expect: (exchange) =>
    refuses(
      exchange,
      refusalCodes.invalidArguments,
      'Require board, brief, count and shape on both calls; refuse a request without one before anything runs.',
    ),
});

/** Whether the request names its workspace where the proposal did, and leaves it out where that did. */
const isNamedAlike = ({ issued }: Presented, { request }: Completed) =>
  (issued?.proposal.request.args?.workspace === undefined) === (request.args?.workspace === undefined);

const unnamedWorkspace = rule('confirmations.unnamed-workspace', {
  applies: (exchange, seen) => presentation(exchange, seen, (it) => isCorrect(it) && !isNamedAlike(it, exchange)),
  // Good as soon as the request names its workspace as the proposal did, or dispatched at once.
  twin: (exchange, seen) => ({
    succeeded: [...(presented(exchange, seen)?.issued?.presentations.values() ?? [])].some(
      ({ outcome }) => outcome === 'dispatched',
    ),
    promisedBy: 'confirmations.refusals-leave-open',
  }),
  expect: (exchange, seen) => {
    const hint = 'Compare the resolved workspaces of the two calls, not their workspace arguments.';
    const finding = runs(exchange, seen, hint);
    // The id was dispatched afterwards: nobody ended its life.
    return finding && { ...finding, shaky: false, exchanges: evidence(exchange, seen) };
  },
});

/** A refusal says nothing about the id; what may have run does. */
const refusalsLeaveOpen = rule('confirmations.refusals-leave-open', {
  applies: (exchange, seen) =>
    presentation(exchange, seen, (it) => {
      const named = isNamedAlike(it, exchange) || isDispatch(exchange);
      return isCorrect(it) && named && it.before.length > 0;
    }),
  twin: anyDispatch,
  expect: (exchange, seen) => {
    const finding = runs(
      exchange,
      seen,
      'Validate the whole request first, and consume the confirmation atomically when you dispatch.',
    );
    const before = presented(exchange, seen)?.before ?? [];
    const refused = before.map((each) => each.exchange).filter((each): each is Completed => each.response !== null);
    return finding && { ...finding, exchanges: [...refused.slice(-4), exchange] };
  },
});

const othersLeaveOpen = rule('confirmations.others-leave-open', {
  applies: (exchange, seen) =>
    presentation(
      exchange,
      seen,
      (it) =>
        isLive(it) &&
        isFresh(it) &&
        atHome(it) &&
        it.missing.length + it.before.length === 0 &&
        !presentedNext(it, exchange, seen),
    ),
  // With what was changed here, another id was dispatched.
  twin: (exchange, seen) => ({
    succeeded: seen.ids.dispatchedWith(presented(exchange, seen)?.changed ?? []),
    promisedBy: 'confirmations.dispatched',
  }),
  expect: (exchange, seen) => {
    const finding = runs(
      exchange,
      seen,
      'Invalidate an id only when it is used or expires: check what proposing and dispatching do to other ids.',
    );
    return finding && { ...finding, exchanges: evidence(exchange, seen) };
  },
});

const isReply = (exchange: Completed) =>
  exchange.request.tool === 'images.generate' && body(exchange).status === 'dispatched' && isDispatch(exchange);

/** A field of every dispatched reply. */
function everyReply(id: RequirementId, expect: Rule['expect']): Rule {
  return rule(id, { applies: isReply, expect });
}

const replyAsConfirmed = rule('confirmations.reply-as-confirmed', {
  applies: (exchange, seen) => isReply(exchange) && presentation(exchange, seen, (it) => isCorrect(it)),
  expect: (exchange) => {
    const { count, shape, board } = exchange.request.args ?? {};
    const hint = 'Send the confirmed count, aspect_ratio and board_id in the reply.';
    return first(
      fieldIs(exchange, 'count', count, hint),
      fieldIs(exchange, 'aspect_ratio', shape, hint),
      fieldIs(exchange, 'board_id', board, hint),
    );
  },
});

const runIdNew = rule('confirmations.run-id-new', {
  applies: (exchange) => isDispatch(exchange) && typeof body(exchange).run_id === 'string',
  expect: (exchange, seen) => {
    const { run_id: run } = body(exchange);
    const earlier = seen.firstRun(exchange);
    // What a used id is answered with belongs to the requirements on used ids.
    if (earlier === exchange || earlier === undefined) return undefined;
    if (earlier.request.args?.confirmation_id === exchange.request.args?.confirmation_id) return undefined;
    return {
      expected: 'a different run_id for each dispatch',
      actual: `run_id ${brief(run)} twice`,
      hint: 'Generate a new run_id for each dispatch.',
      exchanges: [earlier, exchange],
    };
  },
});

/** The refusal that a request recovers from: the confirmation of a fresh proposal, or a fresh proposal that fails. */
function recoveredFrom(exchange: Completed, seen: Seen): Completed | undefined {
  const it = presented(exchange, seen);
  // A proposal that succeeds is half of the recovery: its confirmation shows the rest.
  if (it === undefined) return isProposal(exchange) ? undefined : seen.recoveries.before(exchange);
  const isRefused = isRefusal(exchange) && isCorrect(it) && presentedNext(it, exchange, seen);
  return isRefused || isDispatch(exchange) ? seen.recoveries.of(it.id) : undefined;
}

const recovery = rule('confirmations.recovery', {
  applies: (exchange, seen) =>
    recoveredFrom(exchange, seen) !== undefined && declinedForCredits(exchange) === undefined,
  // The proposal of an id that is presented succeeded.
  twin: (exchange, seen) =>
    presented(exchange, seen) === undefined
      ? proposedTwin(exchange, seen)
      : { succeeded: true, promisedBy: 'image-proposals.proposed' },
  unlessChanged: true,
  unlessHouseRule: true,
  expect: (exchange, seen) => {
    const refused = recoveredFrom(exchange, seen);
    if (isDispatch(exchange)) return undefined;
    return {
      expected: 'a new proposal that can be confirmed, for the request whose id was refused',
      actual: describe(exchange),
      hint: 'Issue a new id to the same request after a refusal, and store nothing of the refused one.',
      exchanges: refused === undefined ? [exchange] : [refused, exchange],
    };
  },
});

/** What holds for the second call and its reply. */
export const confirmations: readonly Rule[] = [
  dispatched,
  everyReply('confirmations.run-id', (exchange) =>
    fieldIsText(exchange, 'run_id', 'Send the id of the run, as a non-empty string.'),
  ),
  runIdNew,
  everyReply('confirmations.confirmation-id-null', (exchange) =>
    fieldIs(exchange, 'confirmation_id', null, 'Send null as confirmation_id: the id is used.'),
  ),
  everyReply('confirmations.request-summary-null', (exchange) =>
    fieldIs(exchange, 'request_summary', null, 'Send null as request_summary: nothing is left to approve.'),
  ),
  replyAsConfirmed,
  runsAsProposed('confirmations.changed-count', { argument: 'count', field: 'count' }),
  runsAsProposed('confirmations.changed-shape', { argument: 'shape', field: 'aspect_ratio' }),
  runsAsProposed('confirmations.changed-board', { argument: 'board', field: 'board_id' }),
  requestMissing,
  unnamedWorkspace,
  refusalsLeaveOpen,
  othersLeaveOpen,
  recovery,
];

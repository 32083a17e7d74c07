import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import { fieldIs } from '../../expectations/fields.ts';
import { first } from '../../expectations/finding.ts';
import { describe } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed, isRefusal } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { declinedForCredits } from '../../situations/declined.ts';
import { isDispatch, isProposal } from '../../situations/ids.ts';
import { atHome, isCorrect, isFresh, isLive, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { neverIssued } from '../requests/made-up-ids.ts';
import { briefFor, confirming, type Proposal, propose, proposeMore, proposing } from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';
import { needs, presentation, presentedNext, proposedTwin, runs, wasProposed, withProposal } from './presentations.ts';

const boundHint = 'Store the proposed request with its id and run that one, whatever the second call changes.';

/** An argument of the proposal, with the field of the response that shows it. */
type Bound = { argument: 'count' | 'shape' | 'board'; field: 'count' | 'aspect_ratio' | 'board_id' };

/**
 * Builds the rule that the server dispatches the proposed value of an argument that the confirmation changes. The ID is
 * live, and its own key presents it in its own workspace.
 *
 * 1. A dispatch is always judged: the response shows the proposed value.
 * 2. A new proposal is always a finding: the server confirms the ID or refuses it.
 * 3. A refusal of another board conforms.
 * 4. Any other refusal is a finding under these conditions:
 *    - The ID is presented right after its proposal.
 *    - Only this argument changes, because a server may refuse a new brief.
 *    - A proposal with the new value succeeded.
 *    - A later confirmation is dispatched.
 */
function runsAsProposed(requirement: Requirement, { argument, field }: Bound): Rule {
  return rule(requirement, {
    applies: (exchange, seen) =>
      presentation(exchange, seen, (attempt) => {
        const live =
          isLive(attempt) && atHome(attempt) && attempt.missing.length === 0 && attempt.changed.includes(argument);
        if (!live || isDispatch(exchange)) return live;
        if (isProposal(exchange)) return attempt.changed.length === 1;
        if (!presentedNext(attempt, exchange, seen)) return false;
        if (argument === 'board') return isRefusal(exchange);
        return attempt.changed.length === 1 && wasProposed(exchange, seen, false);
      }),
    // A refusal proves something about the change only if another confirmation is dispatched afterwards.
    twin: (exchange, seen) => ({
      succeeded: isDispatch(exchange) || seen.ids.dispatchedAfter(exchange),
      promisedBy: 'confirmations.dispatched',
    }),
    expect: (exchange, seen) => {
      if (argument === 'board' && isRefusal(exchange)) return undefined;
      const proposal = presented(exchange, seen)?.issued?.proposal;
      const original = proposal?.request.args?.[argument];
      const finding = first(runs(exchange, seen, boundHint), fieldIs(exchange, field, original, boundHint));
      return finding && { ...finding, exchanges: withProposal(exchange, seen) };
    },
  });
}

const othersLeaveOpen = rule(
  must(
    'confirmations.others-leave-open',
    'The server MUST keep an id valid when other requests are proposed or confirmed.',
    'Confirmation of a spending action, second to fourth row',
  ),
  {
    applies: (exchange, seen) =>
      presentation(
        exchange,
        seen,
        (attempt) =>
          isLive(attempt) &&
          isFresh(attempt) &&
          atHome(attempt) &&
          attempt.missing.length + attempt.before.length === 0 &&
          !presentedNext(attempt, exchange, seen),
      ),
    // The twin is a dispatch of another ID with the same changes.
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
      return finding && { ...finding, exchanges: withProposal(exchange, seen) };
    },
  },
);

const runIdNew = rule(
  must(
    'confirmations.run-id-new',
    'The server MUST send a different `run_id` for every dispatch.',
    'Confirmation of a spending action, second row; images.generate, call 2',
  ),
  {
    applies: (exchange) => isDispatch(exchange) && typeof body(exchange).run_id === 'string',
    expect: (exchange, seen) => {
      const { run_id: run } = body(exchange);
      const earlier = seen.firstRun(exchange);
      // Other requirements cover responses to used IDs.
      if (earlier === exchange || earlier === undefined) return undefined;
      if (earlier.request.args?.confirmation_id === exchange.request.args?.confirmation_id) return undefined;
      return {
        expected: 'a different run_id for each dispatch',
        actual: `run_id ${brief(run)} twice`,
        hint: 'Generate a new run_id for each dispatch.',
        exchanges: [earlier, exchange],
      };
    },
  },
);

/**
 * Returns the refusal that a request recovers from. The request is the confirmation of a new proposal, or a new
 * proposal that fails.
 */
function recoveredFrom(exchange: Completed, seen: Seen): Completed | undefined {
  const attempt = presented(exchange, seen);
  // A successful proposal is only half of the recovery. Its confirmation shows the rest.
  if (attempt === undefined) return isProposal(exchange) ? undefined : seen.recoveries.before(exchange);
  const isRefused = isRefusal(exchange) && isCorrect(attempt) && presentedNext(attempt, exchange, seen);
  return isRefused || isDispatch(exchange) ? seen.recoveries.of(attempt.id) : undefined;
}

const recovery = rule(
  must(
    'confirmations.recovery',
    `After ${quoted.confirmationInvalid}, the server MUST issue a new, valid id to the same request without an id.`,
    'Confirmation of a spending action, rule 4',
  ),
  {
    applies: (exchange, seen) =>
      recoveredFrom(exchange, seen) !== undefined && declinedForCredits(exchange) === undefined,
    // If the request presents an ID, its proposal has succeeded.
    twin: (exchange, seen) =>
      presented(exchange, seen) === undefined
        ? proposedTwin(exchange, seen)
        : { succeeded: true, promisedBy: 'image-proposals.proposed' },
    unlessChanged: true,
    unlessDeclinedElsewhere: true,
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
  },
);

/** Confirms with changes: a request that was refused before, and a proposal that stayed open meanwhile. */
export const changedRequests = story('changed requests', {
  needs,
  uses: ['proposal'],
  images: 3,
  steps: async (t) => {
    const open = await proposeMore(t, 'propose a request that stays open');
    const used = t.dispatched;
    const args = used?.args ?? proposing(t, { brief: briefFor(t, 'refused') }).args ?? {};
    const refused = used === undefined ? neverIssued(t, { id: open.id, args }) : confirming(used);
    await t.send('present the ID in a request that the server must refuse', refused);
    const second = await propose(t, 'propose the same request', args);

    // A server that ignores all changes dispatches each ID at the first attempt. The second ID comes first, with
    // another count and board.
    const isOther = open.args.count !== args.count;
    const otherCount = { count: isOther ? open.args.count : Number(args.count) + 1 };
    const board = t.deployment.otherBoard === args.board ? undefined : t.deployment.otherBoard;
    const both = board === undefined ? [] : [{ ...otherCount, board }];
    await confirmWithOneOf(t, 'confirm with', second, [...both, otherCount, {}]);

    const shape = await findOtherShape(t);
    const usualCount = isOther ? { count: args.count } : {};
    const otherShape = shape === undefined ? {} : { shape };
    // The open proposal follows, with another count and shape.
    await confirmWhatWaited(t, open, [{ ...usualCount, ...otherShape }, otherShape, usualCount, {}]);
  },
  requirements: [
    runsAsProposed(
      must(
        'confirmations.changed-count',
        'The server MUST dispatch the proposed `count` even if the confirmation changes it.',
        'Confirmation of a spending action, rule 1',
        'spends-money',
      ),
      { argument: 'count', field: 'count' },
    ),
    runsAsProposed(
      must(
        'confirmations.changed-shape',
        'The server MUST dispatch the proposed `shape` even if the confirmation changes it.',
        'Confirmation of a spending action, rule 1',
      ),
      { argument: 'shape', field: 'aspect_ratio' },
    ),
    runsAsProposed(
      must(
        'confirmations.changed-board',
        'The server MUST NOT dispatch to another board if the confirmation changes `board`.',
        'Confirmation of a spending action, rule 1',
        'data-isolation',
      ),
      { argument: 'board', field: 'board_id' },
    ),
    othersLeaveOpen,
    runIdNew,
    recovery,
  ],
});

/** Most shapes to try until the server accepts a second one. */
const mostShapes = 4;

/** Returns a second shape that the server accepts. */
async function findOtherShape(t: Steps): Promise<string | undefined> {
  const shapes = t.deployment.shapes.filter((shape) => shape !== t.proposal().shape).slice(0, mostShapes);
  const otherProposal = await t.firstAccepted(
    'propose another shape',
    shapes.map((shape) => proposing(t, { shape })),
    isProposal,
  );
  return otherProposal === undefined ? undefined : String(otherProposal.request.args?.shape);
}

/**
 * Confirms with the first change; a dispatch ends the sequence. After a refusal, confirms a new proposal with the next
 * change. A refused change of a single argument is first repeated, because another client may have advanced the clock.
 */
async function confirmWithOneOf(t: Steps, step: string, proposal: Proposal, changes: readonly Args[]): Promise<void> {
  let open = proposal;
  // The change that the server refused for this ID, if any.
  let refused: Args | undefined;
  for (const change of changes) {
    const names = Object.keys(change);
    const what = names.join(' and ') || 'nothing';
    // The first attempt is inconclusive if the ID was refused before, so it is not counted.
    const times = refused === undefined ? t.mostRepetitions : t.mostRepetitions + 1;
    for (let again = 1; again <= times; again += 1) {
      const reply = await t.send(`${step} ${what} changed`, confirming(open, change));
      if (isDispatch(reply)) return;
      if (refused !== undefined) await stillGood(t, proposal, open, refused);
      refused = isRefusal(reply, refusalCodes.boardNotFound) ? change : undefined;
      // The ID is still valid: a refusal for the board does not consume it.
      if (refused !== undefined) break;
      open = await propose(t, `${step}: propose afresh`, proposal.args);
      if (names.length > 1 || !isRefusal(reply, refusalCodes.confirmationInvalid)) break;
    }
  }
}

/**
 * Expects an ID to stay valid after a refusal for the board. Repeats the test if another client may have advanced the
 * clock.
 */
async function stillGood(t: Steps, proposal: Proposal, refused: Proposal, change: Args): Promise<void> {
  let open = refused;
  for (let again = 1; again <= t.mostRepetitions; again += 1) {
    const reply = await t.send('confirm as proposed, after the board was refused', confirming(open));
    if (!isRefusal(reply, refusalCodes.confirmationInvalid)) return;
    open = await propose(t, 'propose afresh', proposal.args);
    await t.send('confirm with the board that is refused', confirming(open, change));
  }
}

/**
 * Confirms the open proposal with the first change; a dispatch ends the sequence. After a refusal, confirms a new
 * proposal with the same change. If that is refused too, the age of the ID is not the cause, and the other changes
 * follow.
 */
async function confirmWhatWaited(t: Steps, open: Proposal, changes: readonly Args[]): Promise<void> {
  const [change = {}, ...others] = changes;
  const reply = await t.send('confirm the open proposal with changes', confirming(open, change));
  if (isDispatch(reply)) return;
  const fresh = await propose(t, 'propose afresh what waited', open.args);
  const again = await t.send('confirm a new proposal with the same changes', confirming(fresh, change));
  if (isDispatch(again)) return isRefusal(reply, refusalCodes.confirmationInvalid) ? overtaken(t) : undefined;
  await confirmWithOneOf(t, 'confirm what waited, with', await propose(t, 'propose it once more', open.args), others);
}

/**
 * Confirms an ID after another one was proposed and dispatched. Repeats the test if another client may have advanced
 * the clock.
 */
async function overtaken(t: Steps): Promise<void> {
  for (let again = 2; again <= t.mostRepetitions; again += 1) {
    const open = await propose(t, 'propose another request that stays open', { brief: briefFor(t, 'left open again') });
    await t.send('confirm another proposal', confirming(await propose(t, 'propose another request')));
    if (isDispatch(await t.send('confirm the open proposal', confirming(open)))) return;
  }
}

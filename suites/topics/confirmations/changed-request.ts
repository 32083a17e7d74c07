import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { check, is } from '../../model/answers.ts';
import { decisive, repeated } from '../../model/finding.ts';
import { type Judging, row } from '../../model/rule.ts';
import { declinedForCredits } from '../../model/world/house-rules.ts';
import { isDispatch, isProposal, presentedId } from '../../model/world/ids.ts';
import {
  atHome,
  changedBriefIn,
  isCorrect,
  isFresh,
  isLive,
  type Presented,
  presented,
} from '../../model/world/presentation.ts';
import type { Seen } from '../../model/world/seen.ts';
import { betweenBothBalances } from '../credits/costs-nothing.ts';
import {
  briefFor,
  confirming,
  neverIssued,
  type Proposal,
  propose,
  proposeOpen,
  proposeOtherShape,
  proposing,
  without,
} from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toSpend } from '../story.ts';
import { chargedAsProposed } from './burst.ts';
import {
  dispatchesAnyStatus,
  mayHaveExpired,
  presentedNext,
  presents,
  proposedControl,
  wasProposed,
  withProposal,
} from './invalid-ids.ts';
import { isNamedAlike } from './wrong-presentations.ts';

const boundHint = 'Store the proposed request with its ID and run that request, whatever the second call changes.';

/**
 * The server dispatches the proposed value of an argument that the confirmation changes. The ID is live (unused, and
 * at most `aliveMinutes` old), and its own key presents it in its own workspace. *First* means that the ID was not
 * presented before, *fresh* that it is at most `freshMinutes` old, and *alone* that no other argument is changed.
 *
 * | Response | Judged if | Expected |
 * | --- | --- | --- |
 * | a dispatch | always | the proposed value |
 * | a new proposal | alone | a dispatch |
 * | a refusal of another board | first | nothing: it conforms |
 * | any other | fresh, first, alone, and a proposal with the new value succeeded | a dispatch |
 *
 * In the last three rows, the same ID or one that is as old must be dispatched later, which shows that the ID was live.
 */
function runsAsProposed(argument: 'count' | 'shape' | 'board', field: string): Judging<Presented> {
  return {
    applies: presents((attempt, exchange, seen) => {
      const live =
        isLive(attempt) && atHome(attempt) && attempt.missing.length === 0 && attempt.changed.includes(argument);
      if (!live || isDispatch(exchange)) return live;
      if (isProposal(exchange)) return attempt.changed.length === 1;
      if (attempt.before.length > 0) return false;
      if (argument === 'board') return isRefusal(exchange);
      return isFresh(attempt) && attempt.changed.length === 1 && wasProposed(exchange, seen, 'any');
    }),
    control: (exchange, seen) => {
      const proposal = presented(exchange, seen)?.issued?.proposal;
      const isKnownAlive = proposal !== undefined && seen.ids.isDispatchedLater(exchange, proposal);
      return isDispatch(exchange) || isKnownAlive || 'confirmations.dispatched';
    },
    expect: (exchange, attempt, seen) => {
      if (argument === 'board' && isRefusal(exchange)) return undefined;
      const original = attempt.issued?.proposal.request.args?.[argument];
      const finding = dispatchesAnyStatus(exchange, attempt, seen) ?? check([is(field, original)], exchange);
      return finding && { ...decisive(finding), exchanges: withProposal(exchange, attempt) };
    },
    hint: boundHint,
  };
}

const othersLeaveOpen = row('confirmations.others-leave-open', {
  must: 'The server MUST keep a confirmation ID valid when other requests are proposed or confirmed.',
  source: 'Confirmation of a spending action, second to fourth row',
  applies: presents(
    (attempt, exchange, seen) =>
      isLive(attempt) &&
      isFresh(attempt) &&
      atHome(attempt) &&
      attempt.missing.length === 0 &&
      // Another requirement covers a confirmation that names its workspace otherwise than the proposal.
      (isNamedAlike(attempt, exchange) || isDispatch(exchange)) &&
      // The server may refuse the changed value itself.
      (attempt.changed.length === 0 || !isRefusal(exchange, refusalCodes.invalidArguments)) &&
      // After a refusal of the ID, only a dispatch shows that nothing ended it.
      (attempt.before.length === 0 || isDispatch(exchange)) &&
      attempt.issued !== undefined &&
      seen.ids.othersBetween(attempt.issued, exchange),
  ),
  // The control is a dispatch of another ID with the same changes.
  control: (exchange, seen) =>
    seen.ids.dispatchedWith(presented(exchange, seen)?.changed ?? []) || 'confirmations.dispatched',
  expect: dispatchesAnyStatus,
  hint: 'Invalidate an ID only when it is used or expires: check what proposing and dispatching do to other IDs.',
});

/**
 * Returns the refusal that a request recovers from. The request is the confirmation of a new proposal, or a new
 * proposal that fails.
 */
function recoveredFrom(exchange: Completed, seen: Seen): Completed | undefined {
  const attempt = presented(exchange, seen);
  // A successful proposal is only half of the recovery. Its confirmation shows the rest.
  if (attempt === undefined) return isProposal(exchange) ? undefined : seen.ids.refusedBefore(exchange);
  const isRefused = isRefusal(exchange) && isCorrect(attempt) && presentedNext(attempt, exchange, seen);
  return isRefused || isDispatch(exchange)
    ? attempt.issued && seen.ids.refusedBefore(attempt.issued.latest)
    : undefined;
}

const recovery = row('confirmations.recovery', {
  must: `After ${quoted.confirmationInvalid}, the server MUST issue a new, valid ID for the request without an ID.`,
  source: 'Confirmation of a spending action, rule 4',
  applies: (exchange, seen) => declinedForCredits(exchange) === undefined && recoveredFrom(exchange, seen),
  // If the request presents an ID, its proposal has succeeded.
  control: (exchange, seen) => presented(exchange, seen) !== undefined || proposedControl(exchange, seen),
  expect: (exchange, refused, seen) =>
    !isDispatch(exchange) && {
      want: { ok: true, result: 'dispatched' },
      expected: 'a new proposal with a valid ID, for the request whose ID was refused',
      exchanges: [refused, exchange],
      ...mayHaveExpired(exchange, seen),
    },
  hint: 'Issue a new ID for the same request after a refusal, and store nothing about the refused request.',
});

const refusesOtherBrief = presents(
  (attempt, exchange) => isRefusal(exchange) && isLive(attempt) && attempt.changed.includes('brief'),
);

/** Confirms with changes: right after a refusal, and after another confirmation. */
export const changedRequests = story('changed requests', {
  needs: toSpend,
  steps: async (t) => {
    const open = await proposeOpen(t);
    const other = await proposeOtherShape(t);
    const proposal = await proposeAfterRefusal(t, open);
    const { count: usual } = t.proposal();
    // If possible, a count that the server accepts too.
    const count = { count: open.args.count === usual ? Number(usual) + 1 : open.args.count };
    await confirmChanged(t, proposal, [count, ...(other === undefined ? [] : [{ shape: other.args.shape }])]);
  },
  requirements: [
    row('confirmations.changed-shape', {
      must: 'The server MUST dispatch the proposed `shape` even if the second call changes it.',
      source: 'Confirmation of a spending action, rule 1',
      ...runsAsProposed('shape', 'aspect_ratio'),
    }),
    row('confirmations.changed-brief', {
      must: 'The server MUST NOT create images for another `brief` if the second call changes it.',
      source: 'Confirmation of a spending action, rule 1',
      severity: 'spends-money',
      // A refusal of the changed brief conforms, too.
      applies: (exchange, seen) => changedBriefIn(exchange, seen) ?? refusesOtherBrief(exchange, seen) !== undefined,
      expect: (exchange, shown) => {
        if (shown === true || shown.image === 'proposed') return undefined;
        return {
          at: 'exchanges',
          expected: `an image with the proposed brief ${brief(shown.proposed)}`,
          actual: `an image with the changed brief ${brief(shown.changed)}`,
          exchanges: [shown.exchange, exchange],
        };
      },
      hint: boundHint,
    }),
    chargedAsProposed,
    row('confirmations.run-id-new', {
      must: 'The server MUST send a different `run_id` for every dispatch.',
      source: 'Confirmation of a spending action, second row; images.generate, call 2',
      applies: (exchange, seen) => typeof body(exchange).run_id === 'string' && seen.runs.of(exchange),
      // Other requirements cover responses to used IDs.
      expect: (exchange, earlier) =>
        presentedId(earlier) !== presentedId(exchange) && repeated('run_id', 'dispatch', earlier, exchange),
      hint: 'Generate a new run_id for each dispatch.',
    }),
    recovery,
  ],
  alsoTests: ['confirmations.refusals-leave-open'],
});

/** More proposals than a server may keep by mistake. */
const many = 12;

/** Confirms a proposal with changes that was left open while other stories proposed and confirmed. */
export const changedOpenRequest = story('changes of an open request', {
  needs: toSpend,
  steps: async (t) => {
    const open = await proposeOpen(t);
    // If it runs again, or before all others, the story proposes and confirms other requests itself.
    if (t.attempt > 1) {
      const briefs = Array.from({ length: many }, (_, index) => briefFor(t, `attempt ${t.attempt}, ${index}`));
      const requests = briefs.map((brief) => proposing(t, { brief }));
      await t.sendInParallel('propose other requests', requests);
    }
    if (t.attempt > 1 || t.dispatched === undefined) {
      const other = await propose(t, 'propose another request');
      if (t.attempt > 1) await t.send('confirm another proposal', confirming(other));
    }
    const { secondBoard, otherBoard, board: first } = t.deployment;
    const fewer = { count: t.proposal().count };
    // A server may refuse a board of another workspace, which hides that it would run another board of this one.
    const both = { ...fewer, board: secondBoard ?? otherBoard ?? first };
    if (isDispatch(await t.send('confirm the open proposal with another count and board', confirming(open, both))))
      return;
    const remark = 'only refusals were seen: workspaces[0].otherBoard is not configured';
    if (secondBoard === undefined) t.remarks.set('confirmations.changed-board', remark);
    // A refusal for the board leaves the ID open.
    if (isDispatch(await t.send('confirm the open proposal with another count', confirming(open, fewer)))) return;
    if (isDispatch(await t.send('confirm the open proposal', confirming(open)))) return;
    const fresh = await propose(t, 'propose again', open.args);
    await t.send('confirm a new proposal with another count and board', confirming(fresh, both));
  },
  requirements: [
    row('confirmations.changed-count', {
      must: 'The server MUST dispatch the proposed `count` even if the second call changes it.',
      source: 'Confirmation of a spending action, rule 1',
      severity: 'spends-money',
      ...runsAsProposed('count', 'count'),
    }),
    row('confirmations.changed-board', {
      must: 'The server MUST NOT dispatch to another board if the second call changes `board`.',
      source: 'Confirmation of a spending action, rule 1',
      severity: 'data-isolation',
      ...runsAsProposed('board', 'board_id'),
    }),
    othersLeaveOpen,
  ],
  alsoTests: ['confirmations.run-id-new'],
});

async function proposeAfterRefusal(t: Steps, { id }: Proposal): Promise<Proposal> {
  const { dispatched, deployment } = t;
  // The price in another workspace may differ, and stay unknown.
  const used = dispatched?.args.workspace === deployment.workspace ? dispatched : undefined;
  const args = used?.args ?? proposing(t, { brief: briefFor(t, 'refused') }).args ?? {};
  const refused = used === undefined ? neverIssued(t, { id, args }) : confirming(used);
  await t.send('present an invalid ID', refused);
  return await propose(t, 'propose the same request', args);
}

const dispatches = async (t: Steps, step: string, request: StoryRequest): Promise<boolean> =>
  isDispatch(await betweenBothBalances(t, () => t.send(step, request)));

/** Confirms with several changes. If the server refuses them together, tries each of them, and then none. */
async function confirmChanged(t: Steps, proposal: Proposal, changes: readonly Args[]): Promise<void> {
  const all: Args = Object.assign({}, ...changes);
  const otherWords = { ...all, brief: briefFor(t, 'with other words') };
  if (await dispatches(t, 'confirm with changes, another brief included', confirming(proposal, otherWords))) {
    await t.send('list the new images', { tool: 'library.search', args: t.here({ query: '' }) });
    return;
  }
  const again = await propose(t, 'propose again', without(proposal.args, 'brief'));
  if (await dispatches(t, 'confirm with changes', confirming(again, all))) return;
  const older = await propose(t, 'propose a request that stays unchanged', without(proposal.args, 'brief'));
  for (const change of changes) {
    const fresh = await propose(t, 'propose again', without(proposal.args, 'brief'));
    if (await dispatches(t, `confirm with another ${Object.keys(change).join()}`, confirming(fresh, change))) continue;
    // A dispatch of the same ID or of an older one shows that the ID was valid.
    if (isDispatch(await t.send('confirm without the change', confirming(fresh)))) continue;
    if (isDispatch(await t.send('confirm the older proposal', confirming(older)))) return;
    t.disturbed('the confirmation was not dispatched, see confirmations.dispatched');
  }
}

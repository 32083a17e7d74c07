import { quoted } from '../../../fixtures/contract/codes.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { describe } from '../../expectations/responses.ts';
import { rule } from '../../expectations/rule.ts';
import { type Completed, isRefusal } from '../../history/exchange.ts';
import { declinedForCredits } from '../../situations/declined.ts';
import { isDispatch, isProposal } from '../../situations/ids.ts';
import { atHome, isCorrect, isFresh, isLive, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { neverIssued } from '../requests/made-up-ids.ts';
import { briefFor, confirming, propose, proposeOtherShape, proposing } from '../requests/proposals.ts';
import { story } from '../story.ts';
import { runsAsProposed } from './as-proposed.ts';
import { needs, presentation, presentedNext, proposedTwin, runs, withProposal } from './presentations.ts';

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

/** Confirms after a refusal, with another board, and after another confirmation. */
export const openIds = story('open IDs', {
  needs,
  uses: ['proposal'],
  images: 2,
  steps: async (t) => {
    const open = (await proposeOtherShape(t)) ?? (await propose(t, 'propose a request that stays open'));
    const { dispatched: used } = t;
    const args = used?.args ?? proposing(t, { brief: briefFor(t, 'refused') }).args ?? {};
    const refused = used === undefined ? neverIssued(t, { id: open.id, args }) : confirming(used);
    await t.send('present an invalid ID', refused);
    const proposal = await propose(t, 'propose the same request', args);
    const { otherBoard: board = args.board } = t.deployment;
    const reply = await t.send('confirm with another board', confirming(proposal, { board }));
    if (!isDispatch(reply)) await t.send('confirm as proposed', confirming(proposal));
    await t.send('confirm the open proposal', confirming(open));
  },
  requirements: [
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
    recovery,
  ],
  alsoTests: ['confirmations.refusals-leave-open'],
});

import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, isCompleted } from '../../exchange/exchange.ts';
import { type Answer, has, is, refusal } from '../../model/answers.ts';
import { byOthers } from '../../model/finding.ts';
import { row } from '../../model/rule.ts';
import { declinedForCredits } from '../../model/world/house-rules.ts';
import { isDispatch, outcomeOf } from '../../model/world/ids.ts';
import { isLimited } from '../../model/world/limits.ts';
import { isCorrect, type Presented, presented } from '../../model/world/presentation.ts';
import type { Seen } from '../../model/world/seen.ts';
import { mostRunners } from '../../session/budget.ts';
import { betweenBothBalances } from '../credits/costs-nothing.ts';
import { confirming, propose, proposeAndConfirm, proposeOpen } from '../requests/proposals.ts';
import { story, toSpend } from '../story.ts';
import { dispatches, presentedNext, presents } from './invalid-ids.ts';

const secondCall = 'Confirmation of a spending action, second row; images.generate, call 2';

const isReply = (exchange: Completed) =>
  exchange.request.tool === 'images.generate' && body(exchange).status === 'dispatched' && isDispatch(exchange);

/** What every response has that reports a dispatch. */
const inReply = (what: string, answer: Answer) => ({
  must: `The server MUST send ${what} when it dispatches.`,
  source: secondCall,
  applies: isReply,
  answers: [answer],
});

export const confirmations = story('confirmations', {
  turn: 'first',
  needs: toSpend,
  steps: async (t) => {
    await proposeAndConfirm(t);
    // A later story confirms it, so a server that keeps few proposals has forgotten it by then.
    await proposeOpen(t);
  },
  requirements: [
    row('confirmations.dispatched', {
      must: 'The server MUST return the `status` `dispatched` for the proposed request with its confirmation ID.',
      source: secondCall,
      applies: presents(
        (attempt, exchange, seen) =>
          isCorrect(attempt) && (presentedNext(attempt, exchange, seen) || isDispatch(exchange)),
      ),
      expect: dispatches,
      hint: 'Start the run when the proposed request is sent again with its confirmation_id.',
    }),
    row('confirmations.run-id', {
      ...inReply('a non-empty string `run_id`', has('run_id', 'text')),
      hint: 'Send the ID of the run, as a non-empty string.',
    }),
    row('confirmations.confirmation-id-null', {
      ...inReply('`null` as `confirmation_id`', is('confirmation_id', null)),
      hint: 'Send null as confirmation_id: the ID is used up.',
    }),
    row('confirmations.request-summary-null', {
      ...inReply('`null` as `request_summary`', is('request_summary', null)),
      hint: 'Send null as request_summary: nothing is left to approve.',
    }),
    row('confirmations.reply-as-confirmed', {
      must: 'The server MUST send the confirmed `count`, `aspect_ratio` and `board_id` when it dispatches.',
      source: `${secondCall}; Confirmation of a spending action, rule 1`,
      applies: presents((attempt, exchange) => isReply(exchange) && isCorrect(attempt)),
      answers: ({ request: { args } }) => [
        is('count', args?.count),
        is('aspect_ratio', args?.shape),
        is('board_id', args?.board),
      ],
      hint: 'Send the confirmed count, aspect_ratio and board_id in the response.',
    }),
  ],
});

/** Returns the presentation if it overlapped with others of the same ID. */
function raced(exchange: Completed, seen: Seen): Presented | undefined {
  const attempt = presented(exchange, seen);
  return attempt !== undefined && attempt.during.length > 0 && attempt.before.length === 0 ? attempt : undefined;
}

export const racing = story('simultaneous confirmations', {
  turn: 'first',
  needs: toSpend,
  steps: async (t) => {
    if (t.attempt > 1 && t.target.clock !== undefined)
      await t.wait(t.attempt, 'another client may have advanced the clock during the test');
    const proposal = await propose(t, 'propose');
    const all = await betweenBothBalances(t, () =>
      t.sendTogether('confirm several times simultaneously', confirming(proposal), mostRunners),
    );
    // A confirmation that the rate limit delayed did not take part in the race.
    if (all.filter((exchange) => !isLimited(exchange)).length < 2)
      t.disturbed('the rate limit delayed the confirmations');
  },
  requirements: [
    row('race.one-dispatches', {
      must: 'The server MUST dispatch exactly one of several simultaneous confirmations of the same ID.',
      source: 'Confirmation, rule 2; Limits',
      severity: 'spends-money',
      // Judged after the last of the simultaneous responses. A 5xx or a lost response may hide a dispatch, so it is
      // inconclusive unless another dispatch is known.
      applies: (exchange, seen) => {
        const attempt = raced(exchange, seen);
        if (attempt === undefined || isDispatch(exchange)) return attempt;
        const outcomes = [outcomeOf(exchange), ...attempt.during.map(({ outcome }) => outcome)];
        if (outcomes.length < exchange.together) return false;
        const isKnown = outcomes.every((outcome) => !['limited', 'unknown'].includes(outcome));
        return (outcomes.includes('dispatched') || isKnown) && attempt;
      },
      expect: (exchange, { during }, seen) => {
        const all = [...during, { exchange, outcome: outcomeOf(exchange) }];
        const dispatched = all.filter(({ outcome }) => outcome === 'dispatched');
        const responses = (dispatched.length > 0 ? dispatched : all).map((each) => each.exchange).filter(isCompleted);
        const unpaid = responses.some((response) => declinedForCredits(response) !== undefined);
        const complete = seen.knowledge.complete && exchange.together > 1 && all.length >= exchange.together;
        const none = dispatched.length === 0 && complete && !unpaid;
        if (dispatched.length === 1 || (dispatched.length === 0 && !none)) return undefined;
        return {
          // If none is dispatched, each response is wrong.
          ...(none ? { at: 'response', want: { ok: true, result: 'dispatched' } } : { at: 'exchanges' }),
          expected: `1 of ${all.length} simultaneous confirmations to dispatch`,
          actual: `${dispatched.length} dispatched`,
          ...(dispatched.length === 0 && seen.knowledge.clockShared ? { refutable: byOthers } : {}),
          exchanges: responses.slice(-4),
        };
      },
      hint: 'Find and consume the ID in one atomic step: a separate lookup lets several requests through.',
    }),
    row('race.others-invalid', {
      must:
        `The server MUST return ${quoted.confirmationInvalid} for all other simultaneous confirmations ` +
        'of the same ID.',
      source: 'Confirmation, rules 2 and 3',
      applies: (exchange, seen) =>
        // Another key may be refused for its workspace.
        raced(exchange, seen)?.sameKey === true && !isDispatch(exchange) && declinedForCredits(exchange) === undefined,
      control: (exchange, seen) =>
        raced(exchange, seen)?.during.some(({ outcome }) => outcome === 'dispatched') || 'race.one-dispatches',
      answers: [refusal(refusalCodes.confirmationInvalid)],
      hint: `Dispatch one of the confirmations; return ${refusalCodes.confirmationInvalid} for all others.`,
    }),
  ],
  alsoTests: ['confirmations.charged-as-proposed', 'credits.other-account-unchanged'],
});

import { body, type Completed } from '../../exchange/exchange.ts';
import { type Answer, has, is } from '../../model/answers.ts';
import { row } from '../../model/row.ts';
import { isDispatch } from '../../model/world/ids.ts';
import { isCorrect } from '../../model/world/presentation.ts';
import { proposeAndConfirm, proposeOpen } from '../requests/proposals.ts';
import { story, toSpend } from '../story.ts';
import { dispatches, presentedNext, presents } from './invalid-ids.ts';

const secondCall = 'Confirmation of a spending action, second row; images.generate, call 2';

const dispatched = row('confirmations.dispatched', {
  must: 'The server MUST return the `status` `dispatched` for the proposed request with its confirmation ID.',
  source: secondCall,
  applies: (exchange, seen) =>
    presents(
      exchange,
      seen,
      (attempt) => isCorrect(attempt) && (presentedNext(attempt, exchange, seen) || isDispatch(exchange)),
    ),
  expect: (exchange, attempt, seen) =>
    dispatches(
      exchange,
      attempt,
      seen,
      'Start the run when the proposed request is sent again with its confirmation_id.',
    ),
});

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
    dispatched,
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
      applies: (exchange, seen) => isReply(exchange) && presents(exchange, seen, isCorrect) !== undefined,
      answers: ({ request: { args } }) => [
        is('count', args?.count),
        is('aspect_ratio', args?.shape),
        is('board_id', args?.board),
      ],
      hint: 'Send the confirmed count, aspect_ratio and board_id in the response.',
    }),
  ],
});

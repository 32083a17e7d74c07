import { must, type RequirementId } from '../../../fixtures/requirements/model.ts';
import { fieldIs, fieldIsText } from '../../expectations/fields.ts';
import { first } from '../../expectations/finding.ts';
import { type KitJudging, type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed } from '../../history/exchange.ts';
import { isDispatch } from '../../situations/ids.ts';
import { isCorrect } from '../../situations/presentation.ts';
import { proposeOpen } from '../requests/proposals.ts';
import { proposeAndConfirm } from '../requests/used-ids.ts';
import { story } from '../story.ts';
import { dispatches, needs, presentedNext, presents, withProposal } from './matchers.ts';

const secondCall = 'Confirmation of a spending action, second row; images.generate, call 2';

const dispatched = rule(
  must(
    'confirmations.dispatched',
    'The server MUST return the `status` `dispatched` for the proposed request with its confirmation ID.',
    secondCall,
  ),
  {
    applies: (exchange, seen) =>
      presents(
        exchange,
        seen,
        (attempt) => isCorrect(attempt) && (presentedNext(attempt, exchange, seen) || isDispatch(exchange)),
      ),
    expect: (exchange, seen) => {
      const finding = dispatches(
        exchange,
        seen,
        'Start the run when the proposed request is sent again with its confirmation_id.',
      );
      return finding && { ...finding, exchanges: withProposal(exchange, seen) };
    },
  },
);

const isReply = (exchange: Completed) =>
  exchange.request.tool === 'images.generate' && body(exchange).status === 'dispatched' && isDispatch(exchange);

/** Builds a rule on every response that reports a dispatch. */
function everyReply(id: RequirementId, what: string, expect: KitJudging['expect']): Rule {
  const statement = `The server MUST send ${what} when it dispatches.`;
  return rule(must(id, statement, secondCall), { applies: isReply, expect });
}

const replyAsConfirmed = rule(
  must(
    'confirmations.reply-as-confirmed',
    'The server MUST send the confirmed `count`, `aspect_ratio` and `board_id` when it dispatches.',
    `${secondCall}; Confirmation of a spending action, rule 1`,
  ),
  {
    applies: (exchange, seen) => isReply(exchange) && presents(exchange, seen, (attempt) => isCorrect(attempt)),
    expect: (exchange) => {
      const { count, shape, board } = exchange.request.args ?? {};
      const hint = 'Send the confirmed count, aspect_ratio and board_id in the response.';
      return first(
        fieldIs(exchange, 'count', count, hint),
        fieldIs(exchange, 'aspect_ratio', shape, hint),
        fieldIs(exchange, 'board_id', board, hint),
      );
    },
  },
);

/** Confirms a proposal immediately. */
export const confirmations = story('confirmations', {
  turn: 'first',
  needs,
  images: 1,
  steps: async (t) => {
    await proposeAndConfirm(t);
    // A later story confirms it, so a server that keeps few proposals has forgotten it by then.
    await proposeOpen(t);
  },
  requirements: [
    dispatched,
    everyReply('confirmations.run-id', 'a non-empty string `run_id`', (exchange) =>
      fieldIsText(exchange, 'run_id', 'Send the ID of the run, as a non-empty string.'),
    ),
    everyReply('confirmations.confirmation-id-null', '`null` as `confirmation_id`', (exchange) =>
      fieldIs(exchange, 'confirmation_id', null, 'Send null as confirmation_id: the ID is used up.'),
    ),
    everyReply('confirmations.request-summary-null', '`null` as `request_summary`', (exchange) =>
      fieldIs(exchange, 'request_summary', null, 'Send null as request_summary: nothing is left to approve.'),
    ),
    replyAsConfirmed,
  ],
});

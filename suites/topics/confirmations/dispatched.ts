import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import { fieldIs, fieldIsText } from '../../expectations/fields.ts';
import { first } from '../../expectations/finding.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed } from '../../history/exchange.ts';
import { isDispatch } from '../../situations/ids.ts';
import { isCorrect } from '../../situations/presentation.ts';
import { proposeOpen } from '../requests/proposals.ts';
import { proposeAndConfirm } from '../requests/used-ids.ts';
import { story } from '../story.ts';
import { dispatches, needs, presentedNext, presents, withProposal } from './matchers.ts';

const dispatched = rule(
  must(
    'confirmations.dispatched',
    'The server MUST return the `status` `dispatched` for the proposed request with its confirmation ID.',
    'Confirmation of a spending action, second row; images.generate, call 2',
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
function everyReply(requirement: Requirement, expect: Rule['expect']): Rule {
  return rule(requirement, { applies: isReply, expect });
}

const replyAsConfirmed = rule(
  must(
    'confirmations.reply-as-confirmed',
    'The server MUST send the confirmed `count`, `aspect_ratio` and `board_id` when it dispatches.',
    'Confirmation of a spending action, second row; images.generate, call 2; Confirmation of a spending action, rule 1',
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
  needs,
  images: 1,
  steps: async (t) => {
    await proposeAndConfirm(t);
    // A later story confirms it, so a server that keeps few proposals has forgotten it by then.
    await proposeOpen(t);
  },
  requirements: [
    dispatched,
    everyReply(
      must(
        'confirmations.run-id',
        'The server MUST send a non-empty string `run_id` when it dispatches.',
        'Confirmation of a spending action, second row; images.generate, call 2',
      ),
      (exchange) => fieldIsText(exchange, 'run_id', 'Send the ID of the run, as a non-empty string.'),
    ),
    everyReply(
      must(
        'confirmations.confirmation-id-null',
        'The server MUST send `null` as `confirmation_id` when it dispatches.',
        'Confirmation of a spending action, second row; images.generate, call 2',
      ),
      (exchange) => fieldIs(exchange, 'confirmation_id', null, 'Send null as confirmation_id: the ID is used up.'),
    ),
    everyReply(
      must(
        'confirmations.request-summary-null',
        'The server MUST send `null` as `request_summary` when it dispatches.',
        'Confirmation of a spending action, second row; images.generate, call 2',
      ),
      (exchange) =>
        fieldIs(exchange, 'request_summary', null, 'Send null as request_summary: nothing is left to approve.'),
    ),
    replyAsConfirmed,
  ],
});

import { Unanswered } from './call.ts';
import type { CompletedExchange, SentExchange } from './sent-exchange.ts';
import { TooLarge } from './too-large.ts';

/**
 * Returns an exchange for stories. Throws `Unanswered` without a response, and `TooLarge` if the body was not kept
 * whole.
 */
export function readable(exchange: SentExchange): CompletedExchange {
  const { response, problem } = exchange;
  if (response === null) throw new Unanswered(problem ?? 'no response', exchange);
  if (response.unread !== undefined) throw new TooLarge(response.unread, exchange);
  return { ...exchange, response };
}

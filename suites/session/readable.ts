import type { Answered, Exchange } from '../exchange.ts';
import { Unanswered } from './call.ts';
import { TooLarge } from './too-large.ts';

/** An exchange as flows see it. Throws `Unanswered` where no answer came, `TooLarge` where it was not kept whole. */
export function readable(exchange: Exchange): Answered {
  const { answer, problem } = exchange;
  if (answer === null) throw new Unanswered(problem ?? 'no response', exchange);
  if (answer.unread !== undefined) throw new TooLarge(answer.unread, exchange);
  return { ...exchange, answer };
}

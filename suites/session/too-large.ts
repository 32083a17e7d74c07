import { NotTested } from './budget.ts';
import { type Call, Unanswered } from './call.ts';
import type { CompletedExchange, SentExchange } from './sent-exchange.ts';

/**
 * Longest request that the kit sends. Its own values are far shorter, so a longer request repeats a value of the
 * deployment.
 */
const mostCharacters = 64 * 1024;

/** Thrown if a response body is larger than the kit keeps. Only the status and the headers can be judged. */
export class TooLarge extends NotTested {
  // Private, so that printing the error prints no credential.
  readonly #exchange: SentExchange;

  constructor(what: string, exchange: SentExchange) {
    super(`the response is larger than the kit keeps: ${what}`, [
      { kind: 'limit', what: 'responses that it can keep whole' },
    ]);
    this.#exchange = exchange;
  }

  /** The exchange with the large response. */
  get exchange(): SentExchange {
    return this.#exchange;
  }
}

/** Thrown if the deployment closes the connections of a valid request. Only the rule on missing responses judges it. */
class Closed extends NotTested {
  override readonly name = 'Closed';

  constructor({ request }: SentExchange) {
    super(`${request.tool} closed the connection without a response, see envelopes.answers-every-request`);
  }
}

/** Returns what to throw for a request without a response. */
export function unanswered(exchange: SentExchange): Error {
  return exchange.closedInARow === undefined
    ? new Unanswered(exchange.problem ?? 'no response', exchange)
    : new Closed(exchange);
}

/**
 * Returns an exchange for stories. Throws `Unanswered` without a response, and `TooLarge` if the body was not kept
 * whole.
 */
export function readable(exchange: SentExchange): CompletedExchange {
  const { response } = exchange;
  if (response === null) throw unanswered(exchange);
  if (response.unread !== undefined) throw new TooLarge(response.unread, exchange);
  return { ...exchange, response };
}

/** Throws `NotTested` if a request is longer than the kit sends. */
export function requireSendable({ args, body }: Pick<Call, 'args' | 'body'>): void {
  const length = args === undefined ? (body?.length ?? 0) : JSON.stringify(args).length;
  if (length <= mostCharacters) return;
  throw new NotTested(`the request would repeat a value of the deployment, and have ${length} characters`, [
    { kind: 'limit', what: 'values that are not too long to be sent back' },
  ]);
}

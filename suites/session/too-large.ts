import type { Exchange } from '../exchange.ts';
import { NotTested } from './budget.ts';
import type { Call } from './call.ts';

/** The kit's own values are far shorter: a longer request repeats what the deployment gave. */
const mostCharacters = 64 * 1024;

/** Thrown where the body of a response was larger than the kit keeps: only its status and headers can be judged. */
export class TooLarge extends NotTested {
  // Private, so that whoever prints the error prints no credential.
  readonly #exchange: Exchange;

  constructor(what: string, exchange: Exchange) {
    super(`the response is larger than the kit keeps: ${what}`, [
      { kind: 'limit', what: 'responses that it can keep whole' },
    ]);
    this.#exchange = exchange;
  }

  /** The exchange that shows it. */
  get exchange(): Exchange {
    return this.#exchange;
  }
}

/** Throws `NotTested` where a request would be longer than what the kit sends. */
export function requireSendable({ args, body }: Pick<Call, 'args' | 'body'>): void {
  const length = args === undefined ? (body?.length ?? 0) : JSON.stringify(args).length;
  if (length <= mostCharacters) return;
  throw new NotTested(`the request would repeat a value of the deployment, and have ${length} characters`, [
    { kind: 'limit', what: 'values that are not too long to be sent back' },
  ]);
}

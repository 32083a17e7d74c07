import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal, precedes } from '../history/exchange.ts';
import { remember } from './remember.ts';

const mostRemembered = 1000;

/** Refusals with `confirmation_invalid`, by request. */
export class Recoveries {
  readonly #refused = new Map<string, Completed>();
  readonly #recovered = new Map<unknown, Completed>();

  add(exchange: Completed): void {
    if (exchange.request.tool !== 'images.generate') return;
    const presents = exchange.request.args?.confirmation_id !== undefined;
    if (presents && isRefusal(exchange, refusalCodes.confirmationInvalid))
      remember(this.#refused, requestOf(exchange), exchange, mostRemembered);
    const refused = this.before(exchange);
    const { confirmation_id: id } = body(exchange);
    if (refused !== undefined && typeof id === 'string') remember(this.#recovered, id, refused, mostRemembered);
  }

  /** Returns the refusal that a new proposal recovers from. */
  before(exchange: Completed): Completed | undefined {
    const { args, tool } = exchange.request;
    if (tool !== 'images.generate' || args?.confirmation_id !== undefined) return undefined;
    const refused = this.#refused.get(requestOf(exchange));
    return refused !== undefined && precedes(refused, exchange) ? refused : undefined;
  }

  /** Returns the refusal that the proposal of this ID recovered from. */
  of(id: string): Completed | undefined {
    return this.#recovered.get(id);
  }
}

/** Returns a string that is equal for requests that differ only in their ID. */
function requestOf({ sender, request }: Completed): string {
  const { confirmation_id: _, ...args } = request.args ?? {};
  return JSON.stringify([sender.role, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Completed, elements, isRefusal, precedes } from '../../exchange/exchange.ts';

const mostRemembered = 1000;

/** Why a refusal lists slugs: the workspace is ambiguous, or the named workspace is inaccessible. */
export type Listing = 'ambiguous' | 'unreachable';

/** Returns the slugs that a refusal lists. */
export function slugsIn(refusal: Completed): string[] {
  return elements(refusal, 'workspaces').filter((slug) => typeof slug === 'string');
}

/** Slugs that refusals listed for each key, with the first refusal that listed each slug. */
export class Choices {
  readonly #listed = new Map<string, Completed>();

  add(exchange: Completed): void {
    const { sender, request } = exchange;
    if (sender.kind !== 'key' || !isRefusal(exchange)) return;
    const isNamed = typeof request.args?.workspace === 'string';
    if (!isNamed && !isRefusal(exchange, refusalCodes.workspaceAmbiguous)) return;
    for (const slug of slugsIn(exchange)) {
      const name = nameOf(exchange, slug, isNamed ? 'unreachable' : 'ambiguous');
      if (!this.#listed.has(name) && this.#listed.size < mostRemembered) this.#listed.set(name, exchange);
    }
  }

  /** Returns the earlier refusal that listed the workspace of a request. */
  listedBefore(exchange: Completed, listing: Listing): Completed | undefined {
    const refusal = this.#listed.get(nameOf(exchange, exchange.request.args?.workspace, listing));
    return refusal !== undefined && precedes(refusal, exchange) ? refusal : undefined;
  }
}

function nameOf({ sender }: Completed, slug: unknown, listing: Listing): string {
  return JSON.stringify([sender.role, listing, slug]);
}

import type { Completed } from '../history/exchange.ts';
import { type Ids, isDispatch, presentedId } from './ids.ts';

/** A dispatched confirmation that named another brief than its proposal. */
interface ChangedBrief {
  readonly exchange: Completed;
  readonly proposed: string;
  readonly changed: string;
}

const mostRemembered = 16;

/** Confirmations with a changed brief. Replies do not show the brief that ran, but the library may. */
export class ChangedBriefs {
  readonly #changed: ChangedBrief[] = [];

  add(exchange: Completed, ids: Ids): void {
    if (!isDispatch(exchange) || this.#changed.length >= mostRemembered) return;
    const proposed = ids.issued(presentedId(exchange) ?? '')?.proposal.request.args?.brief;
    const changed = exchange.request.args?.brief;
    if (typeof proposed !== 'string' || typeof changed !== 'string') return;
    if (!proposed.includes(changed) && !changed.includes(proposed)) this.#changed.push({ exchange, proposed, changed });
  }

  /** Returns the confirmation whose changed or proposed brief a search result contains, preferably the changed one. */
  shownIn({ request, response }: Completed): (ChangedBrief & { image: 'changed' | 'proposed' }) | undefined {
    if (request.tool !== 'library.search') return undefined;
    const isShown = (text: string) =>
      text !== request.args?.query && response.text.includes(JSON.stringify(text).slice(1, -1));
    for (const image of ['changed', 'proposed'] as const) {
      const shown = this.#changed.find((each) => isShown(each[image]));
      if (shown !== undefined) return { ...shown, image };
    }
    return undefined;
  }
}

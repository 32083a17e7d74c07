import { ageAt, body, type Completed, isSuccess, precedes } from '../history/exchange.ts';
import { isRecord } from '../json.ts';

export interface LibraryItem {
  readonly kind: string;
  readonly id: string;
  readonly title?: unknown;
  readonly pinned?: unknown;
  readonly source_board_name?: unknown;
}

const mostRemembered = 10_000;

/** Items can disappear, so a search says nothing about the next day. */
const dayMs = 24 * 60 * 60_000;

/** Returns the items of a `library.search` result that `library.get` can request. */
export function itemsIn(search: Completed): LibraryItem[] {
  const { items } = body(search);
  return (Array.isArray(items) ? items : []).filter(
    (item): item is LibraryItem => isRecord(item) && typeof item.kind === 'string' && typeof item.id === 'string',
  );
}

/** Library items that searches found, by key and workspace. */
export class Items {
  readonly #found = new Set<string>();
  /** First search of a day with words that found something, by key and workspace. */
  readonly #searches = new Map<string, Completed>();

  add(exchange: Completed, workspace: string | undefined): void {
    const { sender, request } = exchange;
    if (request.tool !== 'library.search' || sender.kind !== 'key' || !isSuccess(exchange)) return;
    for (const { kind, id } of itemsIn(exchange)) {
      if (this.#found.size < mostRemembered) this.#found.add(nameOf(exchange, workspace, kind, id));
    }
    const { items } = body(exchange);
    const place = placeOf(exchange);
    if (request.args?.query === '' || !Array.isArray(items) || items.length === 0) return;
    const before = this.#searches.get(place);
    const isNew = before === undefined ? this.#searches.size < mostRemembered : ageAt(before, exchange) > dayMs;
    if (isNew) this.#searches.set(place, exchange);
  }

  /** Returns whether an exchange requests an item that the same key found in this workspace. */
  isFound(exchange: Completed, workspace: string | undefined): boolean {
    const { sender, request } = exchange;
    if (request.tool !== 'library.get' || sender.kind !== 'key' || workspace === undefined) return false;
    return this.#found.has(nameOf(exchange, workspace, request.args?.kind, request.args?.id));
  }

  /** Returns an earlier search with words that found something in the same place, at most a day ago. */
  foundBefore(exchange: Completed): Completed | undefined {
    const search = this.#searches.get(placeOf(exchange));
    return search !== undefined && precedes(search, exchange) && ageAt(search, exchange) <= dayMs ? search : undefined;
  }
}

const placeOf = ({ sender, request }: Completed) => JSON.stringify([sender.role, request.args?.workspace]);

function nameOf({ sender }: Completed, workspace: unknown, kind: unknown, id: unknown): string {
  return JSON.stringify([sender.role, workspace, kind, id]);
}

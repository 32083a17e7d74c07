import { ageAt, type Completed, elements, isSuccess, type KeyName, precedes } from '../../exchange/exchange.ts';
import { areStrangers, type Knowledge, ownerOf } from '../../exchange/history.ts';
import { isRecord } from '../../json.ts';
import { keep, mostRemembered } from './remember.ts';

export interface LibraryItem {
  readonly kind: string;
  readonly id: string;
  readonly title?: unknown;
  readonly pinned?: unknown;
  readonly source_board_name?: unknown;
}

const mostFound = 10_000;

/** Items can disappear, so a search says nothing about the next day. */
const dayMs = 24 * 60 * 60_000;

/** Returns the items of a `library.search` result that `library.get` can request. */
export function itemsIn(search: Completed): LibraryItem[] {
  return elements(search, 'items').filter(
    (item): item is LibraryItem => isRecord(item) && typeof item.kind === 'string' && typeof item.id === 'string',
  );
}

/** An item that `library.get` returned. */
export interface Fetched {
  readonly exchange: Completed;
  readonly owner: string;
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
  readonly title: string;
}

/** Library items that searches found and that `library.get` returned, by key or account, and workspace. */
export class Items {
  readonly #knowledge: Knowledge;
  /** Latest titles of items that searches found: by key, by account, and by account and title. */
  readonly #found = new Map<string, unknown>();
  /** Most items in one response, by key. */
  readonly #pages = new Map<KeyName | null, number>();
  /** First search of a day with words that found something, by key and workspace. */
  readonly #searches = new Map<string, Completed>();
  /** Searches of an account, by workspace and words. */
  readonly #queries = new Set<string>();
  /** Items that `library.get` returned last. */
  readonly #fetched: Fetched[] = [];

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  add(exchange: Completed, workspace: string | undefined): void {
    const { sender, request } = exchange;
    if (sender.kind !== 'key' || !isSuccess(exchange)) return;
    if (workspace !== undefined && request.tool === 'library.get') this.#addFetched(exchange, workspace);
    if (request.tool !== 'library.search') return;
    if (this.#found.size < mostFound) this.#addFound(exchange, workspace);
    const { length } = elements(exchange, 'items');
    this.#pages.set(sender.role, Math.max(this.largestPage(exchange), length));
    const place = placeOf(exchange);
    if (request.args?.query === '' || length === 0) return;
    const before = this.#searches.get(place);
    const isNew = before === undefined ? this.#searches.size < mostFound : ageAt(before, exchange) > dayMs;
    if (isNew) this.#searches.set(place, exchange);
  }

  #addFound(search: Completed, workspace: string | undefined): void {
    const owner = this.#ownerOf(search);
    this.#queries.add(nameOf(owner, workspace, search.request.args?.query));
    for (const { kind, id, title } of itemsIn(search)) {
      this.#found.set(nameOf(search.sender.role, workspace, kind, id), title);
      this.#found.set(nameOf(owner, workspace, kind, id), title);
      this.#found.set(nameOf(owner, workspace, kind, id, title), title);
    }
  }

  #addFetched(exchange: Completed, workspace: string): void {
    const owner = this.#ownerOf(exchange);
    const { kind, id } = exchange.request.args ?? {};
    const title = this.#found.get(nameOf(owner, workspace, kind, id));
    if (typeof kind !== 'string' || typeof id !== 'string' || typeof title !== 'string') return;
    keep(this.#fetched, { exchange, owner, workspace, kind, id, title }, mostRemembered);
  }

  #ownerOf({ sender }: Completed): string {
    return ownerOf(sender.role, this.#knowledge);
  }

  /** Returns the most items that the key received in one response. A response with as many cannot be truncated. */
  largestPage({ sender }: Completed): number {
    return this.#pages.get(sender.role) ?? 0;
  }

  /** Returns whether an exchange requests an item that the same key found in this workspace. */
  isFound(exchange: Completed, workspace: string | undefined): boolean {
    const { sender, request } = exchange;
    if (request.tool !== 'library.get' || sender.kind !== 'key' || workspace === undefined) return false;
    return this.#found.has(nameOf(sender.role, workspace, request.args?.kind, request.args?.id));
  }

  /** Returns an earlier search with words that found something in the same place, at most a day ago. */
  foundBefore(exchange: Completed): Completed | undefined {
    const search = this.#searches.get(placeOf(exchange));
    return search !== undefined && precedes(search, exchange) && ageAt(search, exchange) <= dayMs ? search : undefined;
  }

  /** Returns the item with this ID and another kind, which the sender fetched in this workspace. */
  ofOtherKind(exchange: Completed, workspace: string | undefined): Fetched | undefined {
    const { kind, id } = exchange.request.args ?? {};
    const owner = this.#ownerOf(exchange);
    if (this.#found.has(nameOf(owner, workspace, kind, id))) return undefined;
    return this.#candidates(exchange).find(
      (item) => item.owner === owner && item.workspace === workspace && item.kind !== kind,
    );
  }

  /**
   * Returns the item of another workspace or account, if no search lists the item in this workspace. Equal IDs may name
   * different items there.
   */
  ofOtherPlace(exchange: Completed, workspace: string | undefined, of: 'workspace' | 'account'): Fetched | undefined {
    const { kind, id } = exchange.request.args ?? {};
    const owner = this.#ownerOf(exchange);
    const isSearched = (query: string) => this.#queries.has(nameOf(owner, workspace, query));
    return this.#candidates(exchange).find(
      (item) =>
        item.kind === kind &&
        !areStrangers(item.exchange.sender.role, exchange.sender.role) &&
        (of === 'account' ? item.owner !== owner : item.owner === owner && item.workspace !== workspace) &&
        !this.#found.has(nameOf(owner, workspace, kind, id, item.title)) &&
        isSearched('') &&
        isSearched(item.title),
    );
  }

  #candidates(exchange: Completed): Fetched[] {
    const { sender, request } = exchange;
    if (request.tool !== 'library.get' || sender.kind !== 'key') return [];
    return this.#fetched.filter((item) => item.id === request.args?.id && precedes(item.exchange, exchange));
  }
}

const placeOf = ({ sender, request }: Completed) => JSON.stringify([sender.role, request.args?.workspace]);

const nameOf = (...parts: readonly unknown[]) => JSON.stringify(parts);

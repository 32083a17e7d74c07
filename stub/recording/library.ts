import { isToolName } from '../../fixtures/contract/tools.ts';
import { isRecord, type JsonRecord, member } from '../../suites/json.ts';
import type { WorkspaceData } from '../world/data.ts';
import { largestSize } from '../world/workspace.ts';
import { resultOf, type ToolExchange } from './exchanges.ts';
import { isName, textsOf } from './pieces.ts';

export type Item = NonNullable<WorkspaceData['library']>[number];

/** Library of a workspace as a recording shows it, without the images that the client generated. */
export class RecordedLibrary {
  readonly #items = new Map<string, Item>();
  readonly #details = new Map<string, Pick<Item, 'description' | 'tags'>>();
  /** Keys of the first result for an empty query, latest first. */
  #latest: string[] | undefined;
  readonly #generated = new Set<string>();
  /** Boards of image generations since the last empty query. */
  #boards = new Set<string>();
  readonly boardNames = new Map<string, string>();

  /** Learns from a successful response. Returns why a part of it is left out, if one is. */
  learn(exchange: ToolExchange): string | undefined {
    const { tool, args } = exchange;
    const result = resultOf(exchange);
    if (result === undefined || !isToolName(tool)) return undefined;
    if (tool === 'images.generate' && result.status === 'dispatched') this.#boards.add(String(result.board_id));
    if (tool === 'library.get') return this.#addItem(isRecord(result.item) ? result.item : result, args);
    if (tool !== 'library.search') return undefined;
    const found = (Array.isArray(result.items) ? result.items : []).map(readItem);
    const items = found.filter((item) => item !== undefined);
    for (const item of items) this.#keep(item);
    const query = args.query ?? '';
    if (query === '') this.#order(items.map(keyOf));
    return items.length < found.length ? 'the recording shows items without kind and id' : undefined;
  }

  /** Items of the library, latest first; undefined if the recording shows none. */
  items(): Item[] | undefined {
    if (this.#latest === undefined && this.#items.size === 0) return undefined;
    const keys = new Set([...(this.#latest ?? []), ...this.#items.keys()]);
    return [...keys]
      .filter((key) => !this.#generated.has(key))
      .flatMap((key) => {
        const item = this.#items.get(key);
        return item === undefined ? [] : [{ ...item, ...this.#details.get(key) }];
      })
      .slice(0, largestSize);
  }

  #keep(item: Item): void {
    if (!this.#items.has(keyOf(item))) this.#items.set(keyOf(item), item);
  }

  /**
   * Items ahead of the former latest item are new, so an image generation of the recording created them. Their board
   * has the name that they show.
   */
  #order(keys: readonly string[]): void {
    if (this.#latest === undefined) this.#latest = [...keys];
    else if (this.#boards.size > 0) {
      const known = keys.findIndex((key) => this.#latest?.includes(key));
      for (const key of keys.slice(0, Math.max(0, known))) this.#addGenerated(key);
    }
    this.#boards = new Set();
  }

  #addGenerated(key: string): void {
    this.#generated.add(key);
    const [board = '', ...others] = this.#boards;
    const name = this.#items.get(key)?.source_board_name;
    if (others.length === 0 && isName(name)) this.boardNames.set(board, name);
  }

  #addItem(found: JsonRecord, args: JsonRecord): string | undefined {
    const item = readItem({ ...found, kind: args.kind, id: args.id });
    if (item === undefined) return 'the recording hides kind or id';
    if (typeof found.title === 'string') this.#keep(item);
    const description = typeof found.description === 'string' ? found.description : '';
    this.#details.set(keyOf(item), { description, tags: textsOf(found.tags) });
    return undefined;
  }
}

const keyOf = ({ kind, id }: Pick<Item, 'kind' | 'id'>) => JSON.stringify([kind, id]);

function readItem(value: unknown): Item | undefined {
  const text = (name: string) => {
    const given = member(value, name);
    return typeof given === 'string' ? given : undefined;
  };
  const [kind, id] = [member(value, 'kind'), member(value, 'id')];
  if (!isName(kind) || !isName(id)) return undefined;
  return {
    kind,
    id,
    roll: text('roll') ?? 'archive',
    title: text('title') ?? '',
    pinned: member(value, 'pinned') === true,
    source_board_name: text('source_board_name') ?? '',
    description: '',
    tags: [],
  };
}

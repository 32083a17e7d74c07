import type { Item } from '../../seeded/data.ts';
import type { ConformingTool, Place } from '../behavior.ts';
import { refusal, success } from '../responses.ts';
import { scoped } from './scoped.ts';

/** Maximum number of listed items; low enough that an empty query is truncated. */
const mostListed = 20;

/** Finds items by words in title, roll or board. An empty or missing query matches all items, latest first. */
export const searchLibrary: ConformingTool<'library.search'> = ({ args, place }) => {
  const words = (args.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = allItems(place).filter(({ title, roll, source_board_name }) => {
    const text = `${title} ${roll} ${source_board_name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return scoped(place, {
    ok: true,
    total: found.length,
    truncated: found.length > mostListed,
    items: found.slice(0, mostListed).map(({ description: _, tags: _tags, ...listed }) => listed),
  });
};

export const getLibraryItem: ConformingTool<'library.get'> = ({ args, place, behavior }) => {
  const item = allItems(place).find(({ kind, id }) => kind === args.kind && id === args.id);
  if (item === undefined) {
    const message = 'The library of this workspace has no such item. Search for it, and pass kind and id together.';
    return refusal('tool', { code: behavior.codes.itemNotFound, message });
  }
  return scoped(place, { ok: true, item });
};

/** Latest first. */
function allItems({ workspace }: Place): readonly Item[] {
  const { generated, content } = workspace;
  return generated.length === 0 ? content.library : [...generated, ...content.library];
}

/** Number of hits per response. Weak hits are included; clients filter them ("Knowledge hit", relevance). */
const mostHits = 5;

/** Ranks passages by the share of query words that they contain. The stub needs no semantic search. */
export const searchKnowledge: ConformingTool<'knowledge.search'> = ({ args, place }) => {
  const query = args.query ?? '';
  const asked = [...wordsOf(query)];
  const hits = place.workspace.content.knowledge
    .map(({ source, excerpt }) => {
      const words = wordsOf(`${source} ${excerpt}`);
      const share = asked.filter((word) => words.has(word)).length / Math.max(1, asked.length);
      return { source, excerpt, relevance: Math.round(100 + 900 * share) / 1000 };
    })
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, mostHits);
  return scoped(place, { ok: true, query, hits });
};

/** Searchable words of a text: at least three letters, in lowercase. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu));
}

export const readConnections: ConformingTool<'connections.status'> = ({ place }) =>
  scoped(place, { ok: true, ...place.workspace.content.connections });

/** Returns the remaining credits of the account. All keys of an account share them. */
export const readBalance: ConformingTool<'credits.balance'> = ({ account }) =>
  success({ ok: true, balance: account.credits });

import type { StoredItem } from '../../world/model.ts';
import type { ConformingTool, Place } from '../behavior.ts';
import { refusal } from '../responses.ts';
import { scoped } from './scoped.ts';

/** Maximum number of listed items; low enough that an empty query is truncated. */
const mostListed = 20;

/** Finds items by words in title, roll or board. An empty or missing query matches all items, latest first. */
export const searchLibrary: ConformingTool<'library.search'> = ({ args, place }) => {
  const words = (args.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = allItems(place).filter(({ listed: { title, roll, source_board_name } }) => {
    const text = `${title} ${roll} ${source_board_name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return scoped(place, {
    ok: true,
    total: found.length,
    truncated: found.length > mostListed,
    items: found.slice(0, mostListed).map(({ listed }) => listed),
  });
};

export const getLibraryItem: ConformingTool<'library.get'> = ({ args, place, behavior }) => {
  const item = allItems(place).find(({ listed }) => listed.kind === args.kind && listed.id === args.id);
  if (item === undefined) {
    const message = 'The library of this workspace has no such item. Search for it, and pass kind and id together.';
    return refusal('tool', { code: behavior.codes.itemNotFound, message });
  }
  const { listed, description, tags } = item;
  return scoped(place, { ok: true, item: { ...listed, description, tags } });
};

/** Latest first. */
function allItems({ workspace }: Place): readonly StoredItem[] {
  const { generated, content } = workspace;
  return generated.length === 0 ? content.library : [...generated, ...content.library];
}

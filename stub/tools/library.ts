import type { StoredItem } from '../../fixtures/world/model.ts';
import { refusal } from '../answers.ts';
import type { Place, Tool } from '../call.ts';
import { scoped } from './scoped.ts';

/** How many items one search lists; few enough that a search for everything is truncated. */
const listed = 20;

/** Finds items by the words of their title, roll or board; an empty query, or none, gives the latest. */
export const searchLibrary: Tool<'library.search'> = ({ args, place }) => {
  const words = (args.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = allItems(place).filter((item) => {
    const text = `${item.title} ${item.roll} ${item.source_board_name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return scoped(place, {
    total: found.length,
    truncated: found.length > listed,
    items: found.slice(0, listed).map(({ kind, id, roll, title, pinned, source_board_name }) => ({
      kind,
      id,
      roll,
      title,
      pinned,
      source_board_name,
    })),
  });
};

export const getLibraryItem: Tool<'library.get'> = ({ args, place, rules }) => {
  const item = allItems(place).find(({ kind, id }) => kind === args.kind && id === args.id);
  if (item === undefined) {
    const message = 'The library of this workspace has no such item. Search for it, and pass kind and id together.';
    return refusal('tool', { code: rules.codes.itemNotFound, message });
  }
  return scoped(place, { item });
};

function allItems({ workspace }: Place): StoredItem[] {
  return [...workspace.generated, ...workspace.content.library];
}

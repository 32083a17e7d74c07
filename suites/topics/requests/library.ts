import { tools } from '../../../fixtures/contract/tools.ts';
import type { Completed } from '../../history/exchange.ts';
import { itemsIn, type LibraryItem } from '../../situations/items.ts';
import type { Steps } from '../steps.ts';

/** A question that suits any knowledge base. */
export const question = String(tools['knowledge.search'].usual?.query);

export const search = (t: Steps, query: unknown) => ({ tool: 'library.search', args: t.here({ query }) });

/** Returns the items of a search. Ends the current part of the story if there are fewer than `least`. */
export function someItems(t: Steps, found: Completed, least = 1): LibraryItem[] {
  const items = itemsIn(found);
  const what = least === 1 ? 'a library item' : `${least} library items`;
  return items.length < least ? t.cannot(`the library does not show ${what}`, { kind: 'data', what }) : items;
}

import { type Completed, isOutcomeStatus } from '../../exchange/exchange.ts';
import { refusal, success } from '../../model/answers.ts';
import { row } from '../../model/row.ts';
import { sameRequest } from '../../model/rule.ts';
import { itemsIn, type LibraryItem } from '../../model/world/items.ts';
import { isPlain, isWorkspaceRefusal } from '../../model/world/plain.ts';
import type { Seen } from '../../model/world/seen.ts';
import { search, someItems } from '../requests/library.ts';
import { resemblingId } from '../requests/proposals.ts';
import { story } from '../story.ts';

const foundCanBeGot = row('library.found-can-be-got', {
  must: 'The server MUST return each item that `library.search` found if `library.get` names its `kind` and `id`.',
  source: 'library.get',
  applies: (exchange, seen) =>
    isPlain(exchange) && !isWorkspaceRefusal(exchange) && seen.items.isFound(exchange, seen.places.of(exchange)),
  answers: [success],
  hint: 'Look up the item by kind and id together, exactly as the search result gives them.',
});

const isUnknownItem = ({ request, sender, invented }: Completed) =>
  request.tool === 'library.get' && invented.includes('id') && sender.kind === 'key';

const anotherItem = (exchange: Completed, seen: Seen) =>
  sameRequest(exchange, seen, { except: exchange.invented.includes('kind') ? ['kind', 'id'] : ['id'] });

/**
 * Returns a sample: the first two items, the last one, one of each kind, and a pinned one. Servers may store these
 * separately.
 */
function severalItems(items: readonly LibraryItem[]): LibraryItem[] {
  const kinds = new Map(items.map((item) => [item.kind, item]));
  // Servers may decode, fold or truncate IDs with special characters, and may mishandle the last item of a page.
  const odd = items.filter(({ id }) => /[^a-z0-9-]/.test(id)).slice(0, 2);
  // Servers may convert IDs to numbers, which drops zeros and digits.
  const numeric = items.filter(({ id }) => /^\d/.test(id) && String(Number(id)) !== id).slice(0, 1);
  const pinned = items.filter((item) => item.pinned === true).slice(0, 1);
  const first = [...items.slice(0, 2), ...items.slice(-1)];
  return [...new Set([...first, ...odd, ...numeric, ...pinned, ...[...kinds.values()].slice(0, 4)])];
}

export const fetchingItems = story('fetching library items', {
  steps: async (t) => {
    const items = someItems(t, await t.send('list the most recent items', search(t, '')));
    const get = (args: object) => ({ tool: 'library.get', args: t.here({ ...args }) });
    for (const { kind, id } of severalItems(items)) await t.send('fetch an item', get({ kind, id }));
    // A search with words may find items of other workspaces.
    const last = itemsIn(await t.sendOnce('search for words', search(t, 'a'))).at(-1);
    if (last !== undefined) await t.send('fetch the last item found', get({ kind: last.kind, id: last.id }));
    const [{ kind, id } = { kind: '', id: '' }] = items;
    const unknown = resemblingId(id, t.text(`unknown item like ${id}`, 16));
    await t.send('fetch an item that does not exist', { ...get({ kind, id: unknown }), invented: ['id'] });
    const nothing = get({ kind: `tck ${t.text('unknown kind')}`, id: unknown });
    await t.send('fetch an item of a kind that does not exist', { ...nothing, invented: ['kind', 'id'] });
    await t.part(async () => {
      const workspace = t.setting('otherWorkspace');
      const there = await t.send('list the items of the workspace', {
        tool: 'library.search',
        args: { workspace, query: '' },
      });
      const some = severalItems(itemsIn(there));
      // The first items are most likely identical to those of the other workspace, so they come last.
      for (const item of [...some.slice(2), ...some.slice(0, 2)].slice(0, 3)) {
        await t.send('fetch an item of the workspace', {
          tool: 'library.get',
          args: { workspace, kind: item.kind, id: item.id },
        });
      }
      const isSame = (one: LibraryItem) => (other: LibraryItem) => one.kind === other.kind && one.id === other.id;
      const strange = itemsIn(there).find((item) => typeof item.title === 'string' && !items.some(isSame(item)));
      if (strange === undefined) return;
      const found = itemsIn(await t.send('search for an item of the other workspace', search(t, strange.title)));
      if (found.some(isSame(strange)))
        await t.send('fetch the item found', get({ kind: strange.kind, id: strange.id }));
    });
  },
  requirements: [
    foundCanBeGot,
    row('library.unknown-id-200', {
      must: 'The server MUST return 200 for an item ID that does not exist.',
      source: 'library.get; What the service does, rule 5',
      applies: isUnknownItem,
      twin: anotherItem,
      expect: (exchange) => {
        if (isOutcomeStatus(exchange.response.status)) return undefined;
        return {
          expected: 'HTTP 200, with ok for the outcome',
          hint: 'Return 200 for an item that does not exist: it is an outcome of the tool, not an HTTP error.',
        };
      },
    }),
    row('library.unknown-id-refused', {
      should: 'The server SHOULD refuse an item ID that does not exist.',
      source: 'library.get',
      applies: (exchange) => isUnknownItem(exchange) && isOutcomeStatus(exchange.response.status),
      twin: anotherItem,
      answers: [refusal()],
      hint: 'Refuse the ID with ok false and a code.',
    }),
  ],
});

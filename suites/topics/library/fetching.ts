import { body, type Completed, isOutcomeStatus, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { refusal, success } from '../../model/answers.ts';
import { type Judging, row, sameRequest } from '../../model/rule.ts';
import { type Fetched, itemsIn, type LibraryItem } from '../../model/world/items.ts';
import { isPlain, isWorkspaceRefusal } from '../../model/world/plain.ts';
import type { Seen } from '../../model/world/seen.ts';
import { search, someItems } from '../requests/library.ts';
import { resemblingId } from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

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

const getting = (t: Steps, { kind, id }: Pick<LibraryItem, 'kind' | 'id'>, place: Args = t.here()) => ({
  tool: 'library.get',
  args: { ...place, kind, id },
});

const isNamedLike = (one: LibraryItem) => (other: LibraryItem) => one.kind === other.kind && one.id === other.id;

export const fetchingItems = story('fetching library items', {
  steps: async (t) => {
    const items = someItems(t, await t.sendOnce('list the most recent items', search(t, '')));
    for (const item of severalItems(items)) await t.sendOnce('fetch an item', getting(t, item));
    // A search with words may find items of other workspaces.
    const last = itemsIn(await t.sendOnce('search for words', search(t, 'a'))).at(-1);
    if (last !== undefined) await t.sendOnce('fetch the last item found', getting(t, last));
    const [{ kind, id } = { kind: '', id: '' }] = items;
    const unknown = { kind, id: resemblingId(id, t.text(`unknown item like ${id}`, 16)) };
    const reply = await t.send('fetch an item that does not exist', { ...getting(t, unknown), invented: ['id'] });
    const nothing = getting(t, { ...unknown, kind: `tck ${t.text('unknown kind')}` });
    await t.send('fetch an item of a kind that does not exist', { ...nothing, invented: ['kind', 'id'] });
    await t.part(async () => {
      const workspace = t.setting('otherWorkspace');
      const listing = { tool: 'library.search', args: { workspace, query: '' } };
      const there = itemsIn(await t.sendOnce('list the items of the workspace', listing));
      const some = severalItems(there);
      // The first items are most likely identical to those of the other workspace, so they come last.
      for (const item of [...some.slice(2), ...some.slice(0, 2)].slice(0, 3))
        await t.send('fetch an item of the workspace', getting(t, item, { workspace }));
      const strange = there.find((item) => typeof item.title === 'string' && !items.some(isNamedLike(item)));
      if (strange === undefined) return;
      const found = itemsIn(await t.send('search for an item of the other workspace', search(t, strange.title)));
      if (found.some(isNamedLike(strange))) await t.send('fetch the item found', getting(t, strange));
    });
    if (!isRefusal(reply)) t.cannot('an unknown item was not refused');
  },
  requirements: [
    row('library.found-can-be-got', {
      must: 'The server MUST return each item that `library.search` found if `library.get` names its `kind` and `id`.',
      source: 'library.get',
      applies: (exchange, seen) =>
        isPlain(exchange) && !isWorkspaceRefusal(exchange) && seen.items.isFound(exchange, seen.places.of(exchange)),
      answers: [success],
      hint: 'Look up the item by kind and id together, exactly as the search result gives them.',
    }),
    row('library.unknown-id-200', {
      must: 'The server MUST return 200 for an item ID that does not exist.',
      source: 'library.get; What the service does, rule 5',
      applies: isUnknownItem,
      control: anotherItem,
      expect: ({ response }) => !isOutcomeStatus(response.status) && { expected: 'HTTP 200, with ok for the outcome' },
      hint: 'Return 200 for an item that does not exist: it is an outcome of the tool, not an HTTP error.',
    }),
    row('library.unknown-id-refused', {
      should: 'The server SHOULD refuse an item ID that does not exist.',
      source: 'library.get',
      applies: (exchange) => isUnknownItem(exchange) && isOutcomeStatus(exchange.response.status),
      control: anotherItem,
      answers: [refusal()],
      hint: 'Refuse the ID with ok false and a code.',
    }),
  ],
  alsoTests: ['headers.tool-error-on-other-refusals'],
});

/** Date and time as text, which may differ in each response. */
const timePattern = /"\d{4}-\d{2}-\d{2}T[^"]*"/g;

/** Text of an item without what names the request. */
function itemText(exchange: Completed, kinds: readonly unknown[]): string {
  const { workspace: _, working_in: __, ...item } = body(exchange);
  const text = JSON.stringify(item).replaceAll(timePattern, '""');
  return kinds.reduce((rest: string, kind) => rest.replaceAll(JSON.stringify(kind), '""'), text);
}

/** Whether a response contains the item of an earlier response. Equal IDs alone say nothing. */
function isSameItem(exchange: Completed, item: Fetched): boolean {
  const kinds = [exchange.request.args?.kind, item.kind];
  const text = itemText(exchange, kinds);
  return isSuccess(exchange) && text.includes(item.title) && text === itemText(item.exchange, kinds);
}

type FindItem = (exchange: Completed, seen: Seen) => Fetched | undefined;

function neverGot(find: FindItem, expected: string, hint: string): Judging<Fetched> {
  return {
    applies: (exchange, seen) => isPlain(exchange) && find(exchange, seen),
    expect: (exchange, item) => {
      if (!isSameItem(exchange, item)) return undefined;
      const whose = `of kind ${brief(item.kind)} in the workspace ${brief(item.workspace)}`;
      return {
        at: 'exchanges',
        expected,
        actual: `the item ${brief(item.title)} ${whose}, which ${item.exchange.sender.label} fetched`,
        exchanges: [item.exchange, exchange],
      };
    },
    hint,
  };
}

const ofOtherPlace =
  (of: 'workspace' | 'account'): FindItem =>
  (exchange, seen) => {
    const { role } = exchange.sender;
    const place = seen.places.of(exchange);
    // A pinned key may stay in its own workspace, which the result does not name.
    const mayStay = seen.places.mayStay(role, exchange.request.tool) && place !== seen.places.own(role);
    return of === 'workspace' && mayStay ? undefined : seen.items.ofOtherPlace(exchange, place, of);
  };

/** Items of two places may have equal IDs. */
const isSame = (one: LibraryItem) => (other: LibraryItem) => isNamedLike(one)(other) && one.title === other.title;

/** Fetches items of this workspace in another place: two that it does not list, and one that it lists, too. */
async function fetchElsewhere(t: Steps, items: readonly LibraryItem[], how: Partial<StoryRequest>): Promise<void> {
  const send = (step: string, tool: string, args: Args) =>
    t.send(step, { ...how, tool, args: { ...how.args, ...args } });
  const listed = itemsIn(await send('list the items there', 'library.search', { query: '' }));
  const strange = items.filter((item) => typeof item.title === 'string' && !listed.some(isSame(item))).slice(0, 2);
  // A search with a cache for all workspaces lists items that `library.get` then refuses.
  const shared = items.filter((item) => listed.some(isSame(item))).slice(0, 1);
  for (const { kind, id, title } of [...strange, ...shared]) {
    await send('search there for an item of another place', 'library.search', { query: title });
    await send('fetch the item there', 'library.get', { kind, id });
  }
}

/** Runs after the stories that create images, which are surely of this workspace. */
export const foreignItems = story('items of other kinds, workspaces and accounts', {
  turn: 'last',
  steps: async (t) => {
    const items = someItems(t, await t.send('list the most recent items', search(t, '')));
    for (const item of items.slice(0, 4)) await t.send('fetch an item', getting(t, item));
    const kinds = [...new Set(items.map(({ kind }) => kind))];
    const [first] = items;
    if (first === undefined) return;
    for (const kind of kinds.filter((each) => each !== first.kind).slice(0, 3))
      await t.send('fetch the ID of an item with another kind', getting(t, { ...first, kind }));
    const nothing = getting(t, { ...first, kind: `tck ${t.text('another kind')}` });
    await t.send('fetch the ID of an item with a kind that does not exist', { ...nothing, invented: ['kind'] });
    // A cache of searches may ignore the workspace or the account.
    await t.send('search for an item', search(t, first.title));
    for (const args of t.elsewhere) await fetchElsewhere(t, items.slice(0, 4), { args });
    if (!t.has('otherAccount')) return;
    const args = { workspace: t.deployment.otherAccountWorkspace };
    // Each kind may come from another table.
    const various = kinds.flatMap((each) => items.find((item) => item.kind === each) ?? []);
    await fetchElsewhere(t, various.slice(0, 4), { as: 'otherAccount', args });
  },
  requirements: [
    row('library.kind-decides', {
      must: 'The server MUST NOT return an item for its ID with another `kind`.',
      source: 'Library item, kind; library.get',
      ...neverGot(
        (exchange, seen) => seen.items.ofOtherKind(exchange, seen.places.of(exchange)),
        'another item, or a refusal',
        'Look up the item by kind and id together: an ID is unique only within a kind.',
      ),
    }),
    row('library.items-stay-in-account', {
      must: 'The server MUST NOT return an item of another account.',
      source: 'What the service does, rules 2 and 3; library.get',
      severity: 'data-isolation',
      ...neverGot(
        ofOtherPlace('account'),
        'a refusal, because no search of this account lists the item',
        'Look up the item within the account of the key.',
      ),
    }),
    row('library.items-stay-in-workspace', {
      should: 'The server SHOULD NOT return an item of another workspace.',
      source: 'What the service does, rules 2 and 3; library.get',
      severity: 'data-isolation',
      ...neverGot(
        ofOtherPlace('workspace'),
        'a refusal, because no search in this workspace lists the item',
        'Look up the item within the workspace of the request.',
      ),
    }),
  ],
});

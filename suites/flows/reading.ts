import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { readingTools, tools } from '../../fixtures/contract/tools.ts';
import { requirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, isRefusal } from '../history/exchange.ts';
import { itemsIn, type LibraryItem } from '../rules/seen/items.ts';
import { flow } from './flow.ts';
import { resemblingId } from './made-up-ids.ts';
import type { Steps } from './steps.ts';

/** A question that any knowledge base may be asked. */
export const question = String(tools['knowledge.search'].usual?.query);

/** The workspace worked in, and the other one where it is known. */
const places = (t: Steps) => [
  t.here(),
  ...(t.known.otherWorkspace === undefined ? [] : [{ workspace: t.known.otherWorkspace }]),
];

/** A usual request of every tool that reads, where it needs nothing of an earlier response. */
export const usualReadings = flow(
  'usual requests of tools that read',
  {
    lane: 'reading',
    witnesses: [
      'schedule.week-start',
      'schedule.days',
      'schedule.days-consecutive',
      'schedule.days-from-week-start',
      'schedule.seven-days',
      'content-status.answers',
      ...readingTools.flatMap((tool) => Object.keys(tools[tool].requirements).map(requirementId)),
    ],
  },
  async (t) => {
    for (const tool of readingTools) {
      const { usual } = tools[tool];
      if (usual === undefined) continue;
      for (const place of places(t)) {
        const reply = await t.send(`ask ${tool}`, { tool, args: { ...place, ...usual } });
        const what = `arguments of ${tool}, which the specification does not show`;
        await t.part(async () => {
          if (tool === 'content.status' && isRefusal(reply, refusalCodes.invalidArguments))
            t.cannot(what, { kind: 'data', what });
        });
      }
    }
  },
);

/** Questions whose echo shows trimming, folding, escaping, decoding or normalizing. */
const telling = [
  '  Who is "Zoë" & <what> does she \\ say?  ',
  'naïve café \u{1F98A} e\u0301',
  'PRICES + 5%20\nMORE',
  'What do we say? '.repeat(20),
  // No question at all, if the service takes it.
  '',
  // The same question in another spelling: a response that was kept for the one is not for the other.
  question.toLowerCase(),
  ` ${question} `,
];

export const searchingKnowledge = flow(
  'searching knowledge',
  {
    lane: 'reading',
    witnesses: [
      'knowledge.query-echoed',
      'knowledge.hits',
      'knowledge.hit-fields',
      'knowledge.query-wrong-type-refused',
    ],
  },
  async (t) => {
    const ask = (step: string, query: unknown) => t.send(step, { tool: 'knowledge.search', args: t.here({ query }) });
    const found = await ask('ask a question', question);
    for (const query of telling) await ask('ask with letters that are easily changed', query);
    await ask('ask for what is not there', `${t.text('no word', 12)} ${t.text('nor this', 11)}`);
    for (const query of [0, ['a']]) await ask('ask with a query of the wrong type', query);
    const { hits } = body(found);
    const what = 'a knowledge hit';
    if (!Array.isArray(hits) || hits.length === 0) t.cannot('the knowledge base shows no hit', { kind: 'data', what });
  },
);

/** An everyday query, and one with everything that search languages give a meaning to. */
const texts = ['a', `*50% "off (new [x \\ _ ' * ? : / é`];

/** Queries that may find something where an empty one does not. */
const otherQueries = ['e', 'the', '1'];

const search = (t: Steps, query: unknown) => ({ tool: 'library.search', args: t.here({ query }) });

/** Items of the library; ends the part of the flow where there are fewer than these. */
function someItems(t: Steps, found: Completed, least = 1): LibraryItem[] {
  const items = itemsIn(found);
  const what = least === 1 ? 'a library item' : `${least} library items`;
  return items.length < least ? t.cannot(`the library does not show ${what}`, { kind: 'data', what }) : items;
}

export const searchingLibrary = flow(
  'searching the library',
  {
    lane: 'reading',
    witnesses: [
      'library.items',
      'library.item-fields',
      'library.item-unique',
      'library.empty-query-finds',
      'library.total-covers-items',
      'library.untruncated-is-all',
      'library.query-wrong-type-refused',
    ],
  },
  async (t) => {
    const latest = await t.send('ask for the most recent items', search(t, ''));
    for (const query of texts) await t.send('search for words', search(t, query));
    for (const query of [0, ['a']]) await t.send('search with a query of the wrong type', search(t, query));
    if (itemsIn(latest).length > 0) return void someItems(t, latest, 2);
    await t.firstAccepted(
      'search for other words',
      otherQueries.map((query) => search(t, query)),
      (found) => itemsIn(found).length > 0,
    );
    someItems(t, await t.send('ask for the most recent items again', search(t, '')));
  },
);

/** The first items, and one of each kind: kinds may be stored apart. */
function severalItems(items: readonly LibraryItem[]): LibraryItem[] {
  const kinds = new Map(items.map((item) => [item.kind, item]));
  // Ids that hold more than letters and digits may be decoded, folded or cut on their way; so may the last one of a
  // page.
  const odd = items.filter(({ id }) => /[^a-z0-9-]/.test(id)).slice(0, 2);
  return [...new Set([...items.slice(0, 2), ...items.slice(-1), ...odd, ...[...kinds.values()].slice(0, 4)])];
}

export const fetchingItems = flow(
  'fetching library items',
  {
    lane: 'reading',
    witnesses: [
      'library.found-can-be-got',
      'library.kind-missing-refused',
      'library.id-missing-refused',
      'library.kind-wrong-type-refused',
      'library.id-wrong-type-refused',
      'library.unknown-id-200',
      'library.unknown-id-refused',
    ],
  },
  async (t) => {
    const items = someItems(t, await t.send('ask for the most recent items', search(t, '')));
    const get = (args: object) => ({ tool: 'library.get', args: t.here({ ...args }) });
    for (const { kind, id } of severalItems(items)) await t.send('fetch an item', get({ kind, id }));
    const [{ kind, id } = { kind: '', id: '' }] = items;
    for (const wrong of [undefined, null, 5, ['a']]) {
      await t.send('fetch with a kind that is missing or of the wrong type', get({ kind: wrong, id }));
      await t.send('fetch with an id that is missing or of the wrong type', get({ kind, id: wrong }));
    }
    const unknown = resemblingId(id, t.text(`unknown item like ${id}`, 16));
    await t.send('fetch an item that does not exist', { ...get({ kind, id: unknown }), invented: ['id'] });
    const nothing = get({ kind: `tck ${t.text('unknown kind')}`, id: unknown });
    await t.send('fetch an item of a kind that does not exist', { ...nothing, invented: ['kind', 'id'] });
    await t.part(async () => {
      const workspace = t.setting('otherWorkspace');
      const there = await t.send('ask there', { tool: 'library.search', args: { workspace, query: '' } });
      const some = severalItems(itemsIn(there));
      // The first ones are those that are most like the ones here.
      for (const item of [...some.slice(2), ...some.slice(0, 2)].slice(0, 3)) {
        await t.send('fetch an item there', { tool: 'library.get', args: { workspace, kind: item.kind, id: item.id } });
      }
    });
  },
);

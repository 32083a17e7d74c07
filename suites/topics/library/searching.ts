import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { textRows } from '../../../fixtures/mutations/bodies.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { body, type Completed, elements } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { check, has, holds, is } from '../../model/answers.ts';
import { resultOf } from '../../model/rows/results.ts';
import { row } from '../../model/rule.ts';
import { itemsIn } from '../../model/world/items.ts';
import type { Seen } from '../../model/world/seen.ts';
import { question, search, someItems } from '../requests/library.ts';
import { story } from '../story.ts';

const tool = 'library.search';

const source = 'library.search; Library item';

const atLeast = (count: number) => (exchange: Completed) => elements(exchange, 'items').length >= count;

/** The list of a search is an array. */
const isArray = (id: RequirementId, of: ToolName, list: string, section: string) =>
  row(id, {
    must: `The server MUST send \`${list}\` as an array.`,
    source: section,
    applies: resultOf(of),
    answers: [has(list, { elements: 0 })],
    hint: 'Send an array, empty if nothing is found.',
  });

/** Covers results whose `total` can be compared with the number of items. Other requirements cover wrong types. */
const countsItems = (also: (exchange: Completed, seen: Seen) => boolean = () => true) =>
  resultOf(tool, (exchange, seen) => {
    const { total, items } = body(exchange);
    return typeof total === 'number' && Array.isArray(items) && also(exchange, seen);
  });

/** Returns a finding if `total` is not the number of items. */
const numberOfItems = (expected: (total: unknown, items: number) => string) => (exchange: Completed) => {
  const { total } = body(exchange);
  const { length } = elements(exchange, 'items');
  const finding = check([is('total', length)], exchange);
  return finding && { ...finding, expected: expected(total, length), actual: `total ${total} and ${length} items` };
};

const emptyQueryFinds = row('library.empty-query-finds', {
  must: 'The server MUST return items for an empty query if another query finds some.',
  source: 'library.search, request',
  applies: (exchange, seen) =>
    resultOf(tool)(exchange, seen) &&
    seen.knowledge.complete &&
    exchange.request.args?.query === '' &&
    Array.isArray(body(exchange).items) &&
    (elements(exchange, 'items').length > 0 || seen.items.foundBefore(exchange)),
  expect: (exchange, other) => {
    if (other === true) return undefined;
    return {
      at: 'exchanges',
      expected: 'items for an empty query',
      actual: `no items, although ${brief(other.request.args?.query)} finds ${elements(other, 'items').length}`,
      exchanges: [other, exchange],
    };
  },
  hint: 'Treat an empty query as no filter: omit the condition instead of matching an empty string.',
});

/** An ordinary query, special characters of search languages, halves of surrogate pairs, and a long text. */
const texts = ['a', `*50% "off (new [x \\ _ ' * ? : / é`, '\udc00 a \ud83e', 'a square '.repeat(6700)];

export const searchingLibrary = story('searching the library', {
  steps: async (t) => {
    const latest = await t.sendOnce('list the most recent items', search(t, ''));
    for (const query of texts) await t.sendOnce('search for words', search(t, query));
    // Some servers serialize a list with one element differently.
    const title = itemsIn(latest).at(-1)?.title;
    if (typeof title === 'string') await t.send('search for one title', search(t, title));
    if (itemsIn(latest).length > 0) return void someItems(t, latest, 2);
    // These may find items if an empty query does not.
    for (const query of ['e', 'the', '1'])
      if (itemsIn(await t.send('search for other words', search(t, query))).length > 0) break;
    someItems(t, await t.send('list the most recent items again', search(t, '')));
  },
  requirements: [
    isArray('library.items', tool, 'items', source),
    row('library.item-fields', {
      must: 'The server MUST send `kind`, `id`, `roll`, `title`, `source_board_name` and `pinned` with every item.',
      source,
      applies: resultOf(tool, atLeast(1)),
      answers: [has('items', { fits: 'LibrarySearchResult' })],
      hint: 'Send all six fields of each item, whatever its kind.',
    }),
    row('library.item-unique', {
      must: 'The server MUST NOT send two items with the same `kind` and `id` in one response.',
      source: 'Library item, kind; library.get',
      applies: resultOf(tool, atLeast(2)),
      answers: (exchange) => {
        const names = itemsIn(exchange).map(({ kind, id }) => JSON.stringify([kind, id]));
        const repeated = names.find((name, index) => names.indexOf(name) < index);
        return [holds('items', 'to differ in kind or id', () => repeated === undefined || `${repeated} twice`)];
      },
      hint: 'Look for a join that multiplies rows, or for an ID that is not unique within its kind.',
    }),
    emptyQueryFinds,
    row('library.total-covers-items', {
      should: 'The server SHOULD NOT send a `total` below the number of items.',
      source,
      applies: countsItems(),
      answers: (exchange) => {
        const { length } = elements(exchange, 'items');
        return [holds('total', `of at least ${length}, the number of items`, (total) => Number(total) >= length)];
      },
      hint: 'Count all items that were found, including those that are left out.',
    }),
    row('library.untruncated-is-all', {
      should: 'The server SHOULD send the number of items as `total` if `truncated` is `false`.',
      source,
      applies: countsItems((exchange) => body(exchange).truncated === false),
      expect: numberOfItems((_, items) => `total ${items}, the number of items, since truncated is false`),
      hint: 'Send truncated: true if items are left out; otherwise send the number of items as total.',
    }),
    row('library.total-counts-items', {
      should: 'The server SHOULD send as many items as `total` if an earlier response had more items.',
      source,
      applies: countsItems((exchange, seen) => Number(body(exchange).total) <= seen.items.largestPage(exchange)),
      expect: numberOfItems((total) => `${total} items, since an earlier response has as many or more`),
      hint: 'Count only the items that the query finds in this workspace.',
    }),
  ],
});

const hasHits = (exchange: Completed) => elements(exchange, 'hits').length > 0;

/** Questions whose echo reveals trimming, case folding, escaping, decoding or normalization. */
const telling = [
  'naïve café \u{1F98A} e\u0301',
  '  Who is "Zoë" & <what> does she \\ say?  ',
  'PRICES + 5%20\nMORE',
  // Quotation marks around the text, which decoders remove.
  '"Who reads us?"',
  // Texts that are too long for a column, a URL or a buffer.
  'What do we say? '.repeat(3800),
  // Halves of surrogate pairs, at both ends. An encoder of UTF-8 may fail.
  '\udc00 Who reads us? \ud83e',
  // An empty question, if the service accepts it.
  '',
  // Words that search engines ignore, so that nothing remains to be ranked.
  'the of and',
  // Other spellings of the default question, which reveal responses from a cache.
  question.toLowerCase(),
  ` ${question} `,
];

export const searchingKnowledge = story('searching knowledge', {
  steps: async (t) => {
    const asking = (query: string) => ({ tool: 'knowledge.search', args: t.here({ query }) });
    const exchange = await t.sendOnce('search for an answer', asking(question));
    const texts = [...telling, ...Object.values(textRows).flatMap(({ values }) => values)];
    await t.sendInParallel('search with characters that filters change', texts.map(asking));
    const unknown = `zzxq${t.text('no word', 12)} qqz${t.text('nor this', 11)}`;
    await t.send('search for something unknown', asking(unknown));
    const what = 'a knowledge hit';
    if (!hasHits(exchange)) t.cannot('the knowledge base shows no hit', { kind: 'data', what });
  },
  requirements: [
    row('knowledge.query-echoed', {
      must: 'The server MUST send the query unchanged as the `query` of the result.',
      source: 'knowledge.search',
      applies: resultOf(
        'knowledge.search',
        ({ request: { args } }) => typeof args?.query === 'string' && args.query.isWellFormed(),
      ),
      answers: ({ request }) => [is('query', request.args?.query)],
      hint: 'Return the query as you received it, before you trim, fold or normalize it.',
    }),
    isArray('knowledge.hits', 'knowledge.search', 'hits', 'knowledge.search'),
    row('knowledge.hit-fields', {
      must: 'The server MUST send the strings `source` and `excerpt` and the number `relevance` with every hit.',
      source: 'Knowledge hit; knowledge.search',
      applies: resultOf('knowledge.search', hasHits),
      answers: [has('hits', { fits: 'KnowledgeSearchResult' })],
      hint: 'Send source and excerpt as strings, and relevance as a number.',
    }),
  ],
});

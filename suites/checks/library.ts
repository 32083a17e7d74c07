import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { describeAnswer, refuses, succeeds } from '../expect/answers.ts';
import { fieldFits, fieldIsArray } from '../expect/fields.ts';
import { brief } from '../json.ts';
import { neverIssuedId } from '../scenes/issued-ids.ts';
import { controlReading, itemsOf } from '../scenes/reading.ts';
import { everyResultOf, fieldsOf } from '../scenes/results.ts';
import { invalidReading, typeHint } from '../scenes/wrong-type.ts';

const tool = 'library.search';
const exercise = async (t: Context) => [await t.call(tool, t.here({ query: '' }))];
const every = everyResultOf(tool, exercise);
const field = fieldsOf(tool, 'LibrarySearchResult', exercise);

/** Queries that may find something where an empty one does not. */
const queries = ['a', 'e', 'the', '1'];

/** An everyday query, and one with everything that search languages give a meaning to. */
const texts = ['a', `*50% "off (new [x \\ _ ' * ? : / é`];

/** Also of what finds little or nothing, and leaves nothing out. */
const everySearch = everyResultOf(tool, async (t) => [
  ...(await exercise(t)),
  ...(await Promise.all(texts.map((query) => t.call(tool, t.here({ query }))))),
]);

/** `items` of a result; empty where the field is not an array, which another requirement tells. */
function items(exchange: Answered): unknown[] {
  const value = body(exchange).items;
  return Array.isArray(value) ? value : [];
}

/** Whether there are at least so many items. */
const some = (least: number) => (exchange: Answered) => items(exchange).length >= least;

/** Whether total and items are what they ought to be, which other requirements tell. */
function countable(exchange: Answered): boolean {
  return typeof body(exchange).total === 'number' && Array.isArray(body(exchange).items);
}

export const library = [
  check({
    requirement: 'library.search-answers',
    async run(t) {
      t.expect(succeeds(await t.call(tool, t.here({ query: '' })), 'an empty query asks for the most recent items'));
      const answers = await Promise.all(texts.map((query) => t.call(tool, t.here({ query }))));
      for (const answer of answers)
        t.expect(succeeds(answer, 'a query is any text: quote what the search gives a meaning to'));
    },
  }),
  field('library.total', 'total', 'a whole number, 0 where nothing is found'),
  field('library.truncated', 'truncated', 'true where items were left out, otherwise false'),
  every('library.items', (exchange) => fieldIsArray(exchange, 'items', 'an empty array where nothing is found')),
  {
    ...every(
      'library.item-fields',
      (exchange) =>
        fieldFits(exchange, 'LibrarySearchResult', 'items', 'each item has all six fields, whatever its kind'),
      some(1),
    ),
    async run(t: Context) {
      const [answer] = await exercise(t);
      if (answer === undefined || items(answer).length === 0) {
        t.cannot('the library shows no item', { kind: 'data', what: 'a library item' });
      }
    },
  },
  {
    ...every(
      'library.item-unique',
      (exchange) => {
        const seen = new Set<string>();
        for (const { kind, id } of itemsOf(exchange)) {
          const name = JSON.stringify([kind, id]);
          if (seen.has(name)) {
            return {
              expected: 'items that differ in kind or id',
              actual: `kind ${brief(kind)} with id ${brief(id)} twice`,
              hint: 'look for a join that multiplies rows, or for an id that is not unique within its kind',
              exchanges: [exchange],
            };
          }
          seen.add(name);
        }
        return undefined;
      },
      some(2),
    ),
    async run(t: Context) {
      const [answer] = await exercise(t);
      if (answer === undefined || items(answer).length < 2) {
        t.cannot('the library shows fewer than two items', { kind: 'data', what: 'two library items' });
      }
    },
  },
  check({
    requirement: 'library.empty-query-finds',
    async run(t) {
      const { args, answer: before } = await controlReading(t, tool);
      if (items(before).length > 0) return;
      const others = await Promise.all(queries.map((query) => t.call(tool, t.here({ query }))));
      const finding = others.find((other) => items(other).length > 0);
      if (finding === undefined) return t.cannot('the library shows no item', { kind: 'data', what: 'a library item' });
      // It may have been empty until a moment ago, and images have landed in it.
      const answer = await t.call(tool, args, { fresh: true });
      if (items(answer).length > 0) return;
      t.expect({
        expected: 'an empty query to return the most recent items',
        actual: `nothing, although ${brief(finding.request.args?.query)} finds ${items(finding).length}`,
        hint: 'an empty query is no filter: leave the condition out rather than matching it',
        exchanges: [answer, finding],
      });
    },
  }),
  every(
    'library.total-covers-items',
    (exchange) => {
      const { total } = body(exchange);
      if (Number(total) >= items(exchange).length) return undefined;
      return {
        expected: `total of at least ${items(exchange).length}, the number of items`,
        actual: `total ${total}`,
        hint: 'total counts what was found, shown or not',
        exchanges: [exchange],
      };
    },
    countable,
  ),
  everySearch(
    'library.untruncated-is-all',
    (exchange) => {
      const { total } = body(exchange);
      if (total === items(exchange).length) return undefined;
      return {
        expected: `total ${items(exchange).length}, the number of items, where truncated is false`,
        actual: `total ${brief(total)}`,
        hint: 'set truncated where items were left out',
        exchanges: [exchange],
      };
    },
    (exchange) => body(exchange).truncated === false && countable(exchange),
  ),
  invalidReading('library.query-wrong-type-refused', tool, 'query', [0, ['a']], 'path', typeHint),
  check({
    requirement: 'library.found-can-be-got',
    async run(t) {
      const { answer } = await controlReading(t, tool);
      const found = itemsOf(answer);
      // One item of each kind, and the first few: kinds may be stored apart.
      const kinds = new Map(found.map((item) => [item.kind, item]));
      const tried = [...new Set([...found.slice(0, 2), ...[...kinds.values()].slice(0, 4)])];
      if (tried.length === 0) t.cannot('the library shows no item', { kind: 'data', what: 'a library item' });
      const got = await Promise.all(tried.map(({ kind, id }) => t.call('library.get', t.here({ kind, id }))));
      for (const each of got) {
        t.expect(succeeds(each, 'fetch by kind and id together, just as the search result gives them'));
      }
    },
  }),
  invalidReading(
    'library.kind-missing-refused',
    'library.get',
    'kind',
    [undefined, null],
    'path or message',
    'kind is required',
  ),
  invalidReading(
    'library.id-missing-refused',
    'library.get',
    'id',
    [undefined, null],
    'path or message',
    'id is required',
  ),
  invalidReading('library.kind-wrong-type-refused', 'library.get', 'kind', [5, ['a']], 'path', typeHint),
  invalidReading('library.id-wrong-type-refused', 'library.get', 'id', [5, ['a']], 'path', typeHint),
  check({
    requirement: 'library.unknown-id-200',
    async run(t) {
      const answer = await unknownItem(t);
      if (answer.answer.status === 200) return;
      t.expect({
        expected: 'HTTP 200, with ok for the outcome',
        actual: describeAnswer(answer),
        hint: 'an item that does not exist is an outcome of the tool, not an HTTP error',
        exchanges: [answer],
      });
    },
  }),
  check({
    requirement: 'library.unknown-id-refused',
    async run(t) {
      const answer = await unknownItem(t);
      if (answer.answer.status !== 200) t.cannot('an unknown id was not answered with 200');
      t.expect(refuses(answer, undefined, 'say by a refusal that there is no such item'));
    },
  }),
];

/** An item that can be fetched, asked for with an id that is not there. */
async function unknownItem(t: Context): Promise<Answered> {
  const { args, answer } = await controlReading(t, 'library.get');
  if (!isSuccess(answer)) t.cannot('no item could be fetched');
  return t.call('library.get', { ...args, id: neverIssuedId(String(args.id)) });
}

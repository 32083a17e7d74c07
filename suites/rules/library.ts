import { body, type Completed, isSuccess } from '../history/exchange.ts';
import { brief } from '../json.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import { isPlain, isWorkspaceRefusal, typeHint } from './answers.ts';
import { fieldIsArray } from './match/fields.ts';
import { describe, refuses, succeeds } from './match/responses.ts';
import { everyResult, resultField } from './results.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import { itemsIn } from './seen/items.ts';
import type { Seen } from './seen/seen.ts';
import { refusesField } from './violations.ts';

const tool = 'library.search';
const schema = 'LibrarySearchResult';

/** `items` of a result; empty where the field is not an array, which `library.items` tells. */
function entries(exchange: Completed): unknown[] {
  const { items } = body(exchange);
  return Array.isArray(items) ? items : [];
}

const atLeast = (count: number) => (exchange: Completed) => entries(exchange).length >= count;

/** Whether total and items are what they ought to be, which other requirements tell. */
const isCountable = (exchange: Completed) =>
  typeof body(exchange).total === 'number' && Array.isArray(body(exchange).items);

const emptyQueryFinds = rule('library.empty-query-finds', {
  applies: (exchange, seen) =>
    seen.knowledge.complete &&
    exchange.request.tool === tool &&
    exchange.request.args?.query === '' &&
    isSuccess(exchange) &&
    Array.isArray(body(exchange).items) &&
    (entries(exchange).length > 0 || seen.items.foundBefore(exchange) !== undefined),
  expect: (exchange, seen) => {
    const other = seen.items.foundBefore(exchange);
    if (entries(exchange).length > 0 || other === undefined) return undefined;
    return {
      expected: 'items for an empty query',
      actual: `no items, although ${brief(other.request.args?.query)} finds ${entries(other).length}`,
      hint: 'Treat an empty query as no filter: omit the condition instead of matching it.',
      exchanges: [other, exchange],
    };
  },
});

const foundCanBeGot = rule('library.found-can-be-got', {
  applies: (exchange, seen) =>
    isPlain(exchange) && !isWorkspaceRefusal(exchange) && seen.items.isFound(exchange, seen.places.of(exchange)),
  unlessChanged: true,
  expect: (exchange) =>
    succeeds(exchange, 'Look up the item by kind and id together, exactly as the search result gives them.'),
});

/** An id that was made up, of a kind of which an item was fetched. */
const isUnknownItem = ({ request, sender, invented }: Completed) =>
  request.tool === 'library.get' && invented.includes('id') && sender.kind === 'key';

const anotherItem = ({ sender, request, invented }: Completed, seen: Seen): Twin => ({
  succeeded: seen.successes.has({
    role: sender.role,
    tool: 'library.get',
    args: request.args ?? {},
    except: invented.includes('kind') ? ['kind', 'id'] : ['id'],
  }),
  promisedBy: 'library.found-can-be-got',
});

/** What `library.search` finds. */
const searching: readonly Rule[] = [
  everyResult('library.items', tool, (exchange) =>
    fieldIsArray(exchange, 'items', 'Send an array, empty if nothing is found.'),
  ),
  resultField(
    'library.item-fields',
    tool,
    schema,
    'items',
    'Send all six fields of each item, whatever its kind.',
    atLeast(1),
  ),
  everyResult(
    'library.item-unique',
    tool,
    (exchange) => {
      const names = itemsIn(exchange).map(({ kind, id }) => `kind ${brief(kind)} with id ${brief(id)}`);
      const twice = names.find((name, index) => names.indexOf(name) < index);
      if (twice === undefined) return undefined;
      return {
        expected: 'items that differ in kind or id',
        actual: `${twice} twice`,
        hint: 'Look for a join that multiplies rows, or for an id that is not unique within its kind.',
        exchanges: [exchange],
      };
    },
    atLeast(2),
  ),
  emptyQueryFinds,
  everyResult(
    'library.total-covers-items',
    tool,
    (exchange) => {
      const { length } = entries(exchange);
      const { total } = body(exchange);
      if (Number(total) >= length) return undefined;
      return {
        expected: `total of at least ${length}, the number of items`,
        actual: `total ${total}`,
        hint: 'Count all items that were found, including those that are left out.',
        exchanges: [exchange],
      };
    },
    isCountable,
  ),
  everyResult(
    'library.untruncated-is-all',
    tool,
    (exchange) => {
      const { length } = entries(exchange);
      const { total } = body(exchange);
      if (total === length) return undefined;
      return {
        expected: `total ${length}, the number of items, since truncated is false`,
        actual: `total ${brief(total)}`,
        hint: 'Send truncated true if items are left out; otherwise send their number as total.',
        exchanges: [exchange],
      };
    },
    (exchange) => body(exchange).truncated === false && isCountable(exchange),
  ),
  refusesField('library.query-wrong-type-refused', [tool], 'query', ['type'], typeHint),
];

/** What `library.get` fetches. */
const fetching: readonly Rule[] = [
  foundCanBeGot,
  refusesField('library.kind-missing-refused', ['library.get'], 'kind', ['missing'], 'Require kind.'),
  refusesField('library.id-missing-refused', ['library.get'], 'id', ['missing'], 'Require id.'),
  refusesField('library.kind-wrong-type-refused', ['library.get'], 'kind', ['type'], typeHint),
  refusesField('library.id-wrong-type-refused', ['library.get'], 'id', ['type'], typeHint),
  rule('library.unknown-id-200', {
    applies: isUnknownItem,
    twin: anotherItem,
    expect: (exchange) => {
      if (isOutcomeStatus(exchange.response.status)) return undefined;
      return {
        expected: 'HTTP 200, with ok for the outcome',
        actual: describe(exchange),
        hint: 'Return 200 for an item that does not exist: it is an outcome of the tool, not an HTTP error.',
        exchanges: [exchange],
      };
    },
  }),
  rule('library.unknown-id-refused', {
    applies: (exchange) => isUnknownItem(exchange) && isOutcomeStatus(exchange.response.status),
    twin: anotherItem,
    expect: (exchange) => refuses(exchange, undefined, 'Refuse the id with ok false and a code.'),
  }),
];

export const library: readonly Rule[] = [...searching, ...fetching];

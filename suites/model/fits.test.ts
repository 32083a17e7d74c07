import { expect, test } from 'vitest';
import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import { exchangesOf } from '../../test/history.ts';
import { type Completed, isCompleted } from '../exchange/exchange.ts';
import { placeOf, unfit, wanted } from './fits.ts';

/** Returns the description of the errors at one place of a value. */
function at(schema: SchemaName, value: object, pointer: string): string {
  const validate = validators[schema];
  validate(value);
  return wanted((validate.errors ?? []).filter(({ instancePath }) => instancePath === pointer));
}

test.each<[SchemaName, object, string, string]>([
  [
    'ContentCreateRequestResult',
    { scheduled_for: 'tomorrow' },
    '/scheduled_for',
    'an ISO 8601 date and time in UTC (such as 2027-01-05T09:00:00Z) or null',
  ],
  ['ContentCreateRequestResult', { week_block_id: 3 }, '/week_block_id', 'a string or null'],
  ['ContentCreateRequestResult', { filled_planned_slot: 'yes' }, '/filled_planned_slot', 'true or false'],
  ['ContentCreateRequestResult', { workspace: '' }, '/workspace', 'a non-empty string'],
  ['WorkingIn', { source: 'x' }, '/source', '"call-override" or "key-pin" or "stored-default" or "sole-reachable"'],
  ['ScheduleReadResult', { week_start: 'Monday' }, '/week_start', 'a date as YYYY-MM-DD'],
  ['ScheduleReadResult', { days: [] }, '/days', 'a non-empty array'],
  ['ScheduleReadResult', { rows: {} }, '/rows', 'an array'],
  ['LibrarySearchResult', { total: -1 }, '/total', 'at least 0'],
  ['LibrarySearchResult', { total: '1' }, '/total', 'a whole number'],
  ['CreditsBalanceResult', { balance: '1' }, '/balance', 'a number'],
  ['CreditsBalanceResult', { ok: 1 }, '/ok', 'true'],
])('%s with %j: %s to be %s', (schema, value, pointer, words) => {
  expect(at(schema, value, pointer)).toBe(words);
});

test('no pattern of the description is shown to people', () => {
  const errors = [{ instancePath: '', schemaPath: '', keyword: 'pattern', params: { pattern: '^x$' } }];
  expect(wanted(errors)).toBe('a string that matches ^x$');
  expect(wanted([])).toBe('as the published description says');
});

test('places are written as programs write them', () => {
  expect(placeOf('/items/0/pinned')).toBe('items[0].pinned');
  expect(placeOf('/items/0/pinned', true)).toBe('items[].pinned');
  expect(placeOf('/days/3')).toBe('days[3]');
  expect(placeOf('/a~1b')).toBe('a/b');
});

function answered({ body }: { body: unknown }): Completed {
  const [exchange] = exchangesOf([{ tool: 'library.search', body }]);
  if (exchange === undefined || !isCompleted(exchange)) throw new Error('a response was expected');
  return exchange;
}

const search = (changed: object = {}) =>
  answered({
    body: {
      ok: true,
      total: 1,
      truncated: false,
      items: [{ kind: 'image', id: '1', roll: 'r', title: 't', pinned: false, source_board_name: 'b' }],
      workspace: 'north',
      working_in: { label: 'North', note: 'the default' },
      ...changed,
    },
  });

const fits = (changed: object, field: string) => unfit(search(changed), 'LibrarySearchResult', field);

test('a field that fits the published description is nothing to tell', () => {
  for (const field of ['total', 'truncated', 'items']) expect(fits({}, field)).toBeUndefined();
});

test('a field of the wrong type is told with its value', () => {
  expect(fits({ total: '1' }, 'total')).toMatchObject({
    expected: 'total to be a whole number',
    actual: 'total "1"',
  });
  expect(fits({ total: -1 }, 'total')).toBeDefined();
  expect(fits({ truncated: null }, 'truncated')?.actual).toBe('truncated null');
});

test('a field that is missing is told as missing', () => {
  expect(fits({ total: undefined }, 'total')).toMatchObject({
    expected: 'total to be present',
    actual: 'no total in the body, which has ok, truncated, items, workspace, working_in',
  });
});

test('a field inside is told where it is', () => {
  expect(fits({ items: [{}] }, 'items')).toMatchObject({
    expected: 'items[].kind to be present',
    actual: 'no kind in items[0], which has no member',
  });
  expect(fits({ items: 'none' }, 'items')?.actual).toBe('items "none"');
});

test('what is wrong elsewhere belongs to another requirement', () => {
  expect(fits({ total: '1' }, 'items')).toBeUndefined();
  expect(fits({ truncated: 1 }, 'total')).toBeUndefined();
});

test('a field whose name begins like another is not mistaken for it', () => {
  expect(fits({ items: [{}] }, 'item')).toBeUndefined();
});

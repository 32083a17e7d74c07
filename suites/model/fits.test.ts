import { expect, test } from 'vitest';
import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import { answered } from '../../test/history.ts';
import { placeOf, unfit, wanted } from './fits.ts';

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
  const validate = validators[schema];
  validate(value);
  expect(wanted((validate.errors ?? []).filter(({ instancePath }) => instancePath === pointer))).toBe(words);
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

const item = { kind: 'image', id: '1', roll: 'r', title: 't', pinned: false, source_board_name: 'b' };
const place = { workspace: 'north', working_in: { label: 'North', note: 'the default' } };
const missing = 'no total in the body, which has ok, truncated, items, workspace, working_in';

test.each<[what: string, changed: object, field: string, expected: string | undefined, actual?: string]>([
  ['a field that fits', {}, 'total', undefined],
  ['another field that fits', {}, 'truncated', undefined],
  ['an array that fits', {}, 'items', undefined],
  ['a field of the wrong type', { total: '1' }, 'total', 'total to be a whole number', 'total "1"'],
  ['a number that is too small', { total: -1 }, 'total', 'total to be at least 0', 'total -1'],
  ['null', { truncated: null }, 'truncated', 'truncated to be true or false', 'truncated null'],
  ['a missing field', { total: undefined }, 'total', 'total to be present', missing],
  ['in an item', { items: [{}] }, 'items', 'items[].kind to be present', 'no kind in items[0], which has no member'],
  ['a text for an array', { items: 'none' }, 'items', 'items to be an array', 'items "none"'],
  ['what is wrong elsewhere', { total: '1' }, 'items', undefined],
  ['what is missing elsewhere', { total: undefined }, 'items', undefined],
  ['what is wrong in a later field', { truncated: 1 }, 'total', undefined],
  ['a field whose name begins like another', { items: [{}] }, 'item', undefined],
])('a field is described if it does not fit: %s', (_, changed, field, expected, actual) => {
  const body = { ok: true, total: 1, truncated: false, items: [item], ...place, ...changed };
  const mismatch = unfit(answered({ tool: 'library.search', body }), 'LibrarySearchResult', field);
  expect(mismatch && [mismatch.expected, mismatch.actual]).toEqual(expected && [expected, actual]);
});

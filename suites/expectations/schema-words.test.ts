import { expect, test } from 'vitest';
import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import { placeOf, wanted } from './schema-words.ts';

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

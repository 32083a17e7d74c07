import { expect, test } from 'vitest';
import { exchangesOf } from '../../test/history.ts';
import { type Completed, isCompleted } from '../history/exchange.ts';
import { fieldFits, fieldIs, fieldIsArray, fieldIsText } from './fields.ts';

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

const fits = (changed: object, field: string) => fieldFits(search(changed), 'LibrarySearchResult', field, 'hint');

test('a field that fits the published description is nothing to tell', () => {
  for (const field of ['total', 'truncated', 'items']) expect(fits({}, field)).toBeUndefined();
});

test('a field of the wrong type is told with its value', () => {
  expect(fits({ total: '1' }, 'total')).toMatchObject({
    expected: 'total to be a whole number',
    actual: 'total "1"',
    hint: 'hint',
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

test('just this value', () => {
  expect(fieldIs(answered({ body: { run_id: null } }), 'run_id', null, '')).toBeUndefined();
  expect(fieldIs(answered({ body: {} }), 'run_id', null, '')).toMatchObject({
    expected: 'run_id null',
    actual: 'run_id (missing)',
  });
  expect(fieldIs(answered({ body: 'text' }), 'run_id', null, '')).toBeDefined();
});

test('texts that look alike are told by their code points', () => {
  expect(fieldIs(answered({ body: { query: 'caf\u00e9' } }), 'query', 'cafe\u0301', '')).toMatchObject({
    expected: 'query "cafe\\u{301}"',
    actual: 'query "caf\\u{e9}"',
  });
});

test('a text that is not empty', () => {
  expect(fieldIsText(answered({ body: { id: 'x' } }), 'id', '')).toBeUndefined();
  for (const id of ['', 5, null, undefined, ['x'], {}])
    expect(fieldIsText(answered({ body: { id } }), 'id', '')).toBeDefined();
});

test('an array may be empty, and what only looks like one is none', () => {
  expect(fieldIsArray(search({ items: [] }), 'items', 'hint')).toBeUndefined();
  for (const items of [null, undefined, { length: 0 }, '[]']) {
    expect(fieldIsArray(search({ items }), 'items', 'hint')).toMatchObject({ expected: 'items to be an array' });
  }
});

import { expect, test } from 'vitest';
import { type Said, verdictOf } from '../testing/history.ts';

const refused = (issues: unknown) => ({ ok: false, code: 'invalid_arguments', message: 'No.', issues });
const get = (args: object, body: unknown, status = 200): Said => ({
  tool: 'library.get',
  args: { ...args },
  body,
  status,
});
const issue = (path: string) => ({ path, message: 'bad' });
const found = get({ kind: 'clip', id: '7' }, { ok: true, workspace: 'north' });

test('issues are listed where arguments do not fit', () => {
  expect(verdictOf('arguments.issues-listed', get({ kind: 5, id: '7' }, refused([issue('kind')])))).toBe('passed');
  expect(verdictOf('arguments.issues-listed', get({ kind: 5, id: '7' }, refused([])))).toBe('failed');
});

test('of two bad fields both are named, where neither is the workspace', () => {
  const bad = { kind: 5, id: false };
  expect(verdictOf('arguments.all-fields-named', get(bad, refused([issue('kind'), issue('id')])))).toBe('passed');
  expect(verdictOf('arguments.all-fields-named', get(bad, refused([issue('kind')])))).toBe('failed');
  const apart = get({ kind: 5, id: '7', workspace: 3 }, refused([issue('workspace')]));
  expect(verdictOf('arguments.all-fields-named', apart)).toBe('not tested');
});

test('odd values are answered as an outcome, or as a body that is not accepted', () => {
  const odd = { kind: '__proto__', id: '7' };
  expect(verdictOf('arguments.anything-answered', found, get(odd, { ok: false, code: 'gone' }))).toBe('passed');
  expect(verdictOf('arguments.anything-answered', found, get(odd, {}, 404))).toBe('failed');
  // A 5xx fails the requirement that forbids it, and says nothing else.
  expect(verdictOf('arguments.anything-answered', get(odd, {}, 500))).toBe('not tested');
});

test('words that fit are refused neither as invalid nor as a malformed body, where others were taken', () => {
  const id = 'arguments.valid-never-refused';
  const search = (query: string, body: object, status = 200): Said => ({
    ...{ tool: 'library.search', args: { workspace: 'north', query }, body, status },
  });
  const taken = search('words', { ok: true, workspace: 'north' });
  expect(verdictOf(id, taken, search('it\'s "new"', { ok: false, code: 'moderated' }))).toBe('passed');
  expect(verdictOf(id, taken, search('it\'s "new"', refused([issue('query')])))).toBe('failed');
  expect(verdictOf(id, taken, search("it's", {}, 400))).toBe('failed');
  expect(verdictOf(id, search("it's", refused([issue('query')])))).toBe('not tested');
});

test('how long a brief may be is not said, but it is never a malformed body', () => {
  const id = 'arguments.valid-never-refused';
  const propose = (brief: string, body: object, status = 200): Said => ({
    ...{ tool: 'images.generate', args: { board: 'b-1', brief, count: 1, shape: '1:1' }, body, status },
  });
  const taken = propose('a cup', { ok: true, status: 'confirmation_required', confirmation_id: 'c-1' });
  expect(verdictOf(id, taken, propose('a longer cup', refused([issue('brief')])))).toBe('passed');
  expect(verdictOf(id, taken, propose("a cup's", {}, 400))).toBe('failed');
});

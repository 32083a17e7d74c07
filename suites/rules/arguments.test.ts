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

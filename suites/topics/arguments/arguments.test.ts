import { expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { exchangesOf, judgementOf, type Said, verdictOf } from '../../../test/history.ts';
import { brokenFields } from '../../model/world/violations.ts';

const refused = (issues: unknown) => ({ ok: false, code: 'invalid_arguments', message: 'No.', issues });
const get = (args: Said['args'] & {}, body: unknown): Said => ({ tool: 'library.get', args, body });
const issue = (path: string) => ({ path, message: 'bad' });
const fetched = get({ kind: 'clip', id: '7' }, { ok: true, workspace: 'north' });

test('issues are listed where arguments do not fit', () => {
  expect(verdictOf('arguments.issues-listed', get({ kind: 5, id: '7' }, refused([issue('kind')])))).toBe('passed');
  expect(verdictOf('arguments.issues-listed', get({ kind: 5, id: '7' }, refused([])))).toBe('failed');
});

test('a text that is an object with a member toString is judged', () => {
  const search: Said = { tool: 'library.search', args: { query: { toString: 'a' } }, body: refused([issue('query')]) };
  expect(verdictOf('arguments.issues-listed', search)).toBe('passed');
});

test('of two bad fields both are named, where neither is the workspace', () => {
  const bad = { kind: 5, id: false };
  expect(verdictOf('arguments.all-fields-named', get(bad, refused([issue('kind'), issue('id')])))).toBe('passed');
  expect(verdictOf('arguments.all-fields-named', get(bad, refused([issue('kind')])))).toBe('failed');
  const apart = get({ kind: 5, id: '7', workspace: 3 }, refused([issue('workspace')]));
  expect(verdictOf('arguments.all-fields-named', apart)).toBe('not tested');
  // The workspace matches the schema, but the server refuses it with this code before it checks the other arguments.
  expect(verdictOf('arguments.all-fields-named', get(bad, refused([issue('workspace')])))).toBe('not tested');
});

test('odd values are answered as an outcome, or as a body that is not accepted', () => {
  const odd = { kind: '__proto__', id: '7' };
  expect(verdictOf('arguments.anything-answered', fetched, get(odd, { ok: false, code: 'gone' }))).toBe('passed');
  expect(verdictOf('arguments.anything-answered', fetched, { ...get(odd, {}), status: 404 })).toBe('failed');
  // Only the requirement that forbids 5xx judges a 5xx.
  expect(verdictOf('arguments.anything-answered', { ...get(odd, {}), status: 500 })).toBe('not tested');
});

test('a title that fits is refused neither as invalid nor as a malformed body, where another was taken', () => {
  const id = 'arguments.valid-never-refused';
  const create = (title: string, body: object, status = 200): Said => ({
    ...{ tool: 'content.create_request', args: { format: 'posts', day: '2027-01-05', title }, body, status },
  });
  const taken = create('words', { ok: true, workspace: 'north' });
  expect(verdictOf(id, taken, create('it\'s "new"', { ok: false, code: 'moderated' }))).toBe('passed');
  expect(verdictOf(id, taken, create('it\'s "new"', refused([issue('title')])))).toBe('failed');
  expect(verdictOf(id, taken, create("it's", {}, 400))).toBe('failed');
  expect(verdictOf(id, taken, create('two\nlines', refused([issue('title')])))).toBe('failed');
  expect(verdictOf(id, taken, create('\u{1F98A}\u{1F98A}', refused([issue('title')])))).toBe('failed');
  // Other requirements cover the length of non-ASCII titles, and the shortest and the longest title.
  for (const title of ['\u{1F98A}'.repeat(110), 'é'.repeat(110), 'x', 'a\u0007bell', 'ends\n']) {
    expect(verdictOf(id, taken, create(title, refused([issue('title')])))).toBe('passed');
  }
  expect(verdictOf(id, create("it's", refused([issue('title')])))).toBe('not tested');
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

test('arguments that two tools share break the schema of each by themselves', () => {
  const args = {};
  const all = exchangesOf(['content.status', 'library.get', 'content.status'].map((tool) => ({ tool, args })));
  const fields = all.map(({ request }) => brokenFields({ request }).map(({ field }) => field));
  expect(fields).toEqual([[], ['kind', 'id'], []]);
});

const place = { workspace: 'north', working_in: { label: 'North', note: 'Named.' } };
const found = (args: Said['args'], tool = 'knowledge.search'): Said => ({
  tool,
  ...(args === undefined ? {} : { args }),
  body: { ok: true, query: 'a', hits: [], ...place },
});
const wrongType = 'knowledge.query-wrong-type-refused';
const raw = (body: string): Said => ({ ...found(undefined, 'schedule.read'), request: { body, args: null } });

test.each<[string, RequirementId, Said, Said, RegExp]>([
  ['NaN', 'bodies.not-json', found({}, 'schedule.read'), raw('{"query": NaN}'), /\(not a number\).*: Python json/],
  ['a comment', 'bodies.not-json', found({}, 'schedule.read'), raw('{/* none */}'), /\(comments\).*: Newtonsoft/],
  ['a number', wrongType, found({ query: 'a' }), found({ query: 7 }), /^A number is taken/],
  ['an array', wrongType, found({ query: 'a' }), found({ query: ['a'] }), /^An array is taken for a string/],
  ['a capital letter', 'library.kind-missing-refused', item({ kind: 'a' }), item({ Kind: 'a' }), /^Kind is taken for/],
])('the hint names what a server accepts: %s', (_, id, control, accepted, hint) => {
  const { findings } = judgementOf(id, [control, accepted]);
  expect(findings).toMatchObject([{ hint: expect.stringMatching(hint) }]);
});

function item(args: { kind: string } | { Kind: string }): Said {
  return { tool: 'library.get', args: { ...args, id: '1' }, body: { ok: true, ...place } };
}

import { expect, test } from 'vitest';
import type { Role } from '../../../fixtures/roles.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const day = '2027-01-13';
const piece = {
  ok: true,
  piece_id: 'p1',
  format: 'posts',
  scheduled_for: null,
  week_block_id: null,
  filled_planned_slot: false,
  workspace: 'north',
  working_in: { label: 'North', note: 'As asked.', workspace: 'north', source: 'call-override' },
};
const tool = 'content.create_request';
const create = (args: object = {}, body: object = {}, more: Partial<Said> = {}): Said => ({
  tool,
  args: { workspace: 'north', format: 'posts', day, ...args },
  body: { ...piece, ...body },
  ...more,
});
const refused = (code: string, ...paths: string[]) => ({
  ok: false,
  code,
  message: 'No.',
  issues: paths.map((path) => ({ path, message: 'bad' })),
});
const refuse = (args: object, ...refusal: Parameters<typeof refused>): Said =>
  create(args, {}, { body: refused(...refusal) });

test('no day, title or format is promised to be open: what is declined with a code of its own is not tested', () => {
  expect(judgementOf('content-requests.created', [refuse({}, 'day_full')])).toMatchObject({
    tested: 0,
    findings: [],
    declined: 'content.create_request declined with code "day_full"',
  });
  for (const id of ['content-requests.format-articles', 'content-requests.title-shortest'] as const) {
    const declined = refuse({ format: 'articles', title: 'x' }, 'not_today');
    expect(verdictOf(id, create(), declined), id).toBe('not tested');
  }
});

test.each([
  ['a past day', { day: '2026-12-31' }],
  ['a day that may be over in some time zone', { day: '2027-01-04' }],
  ['a day that does not exist', { day: '2027-02-30' }],
  ['a title of letters that may count twice', { title: '\u{1F98A}'.repeat(150) }],
])('%s may be refused as unfit', (_, args) => {
  expect(verdictOf('content-requests.created', refuse(args, 'invalid_arguments', 'day'))).toBe('not tested');
});

test.each([
  ['x', 'Accept a title of 200 characters.'],
  ['ü', expect.stringContaining('not its bytes')],
])('the hint for a refused title of %s names bytes only if they can be the cause', (letter, hint) => {
  const long = refuse({ title: letter.repeat(200) }, 'invalid_arguments', 'title');
  const { findings } = judgementOf('content-requests.title-longest', [create({ title: 'x' }), long]);
  expect(findings).toMatchObject([{ hint }]);
});

test.each(['\n', '\u0661'])('a day with %j in it is not judged', (odd) => {
  const said = [create(), create({ day: `${day}${odd}` })];
  expect(verdictOf('content-requests.day-anchored-refused', ...said)).toBe('not tested');
});

test('two accounts may have the same piece ids', () => {
  const theirs = create({}, {}, { as: 'otherAccount' });
  expect(verdictOf('content-requests.piece-id-new', create(), theirs)).toBe('passed');
});

test('an image of one account must not be found by another account; workspaces may share a library', () => {
  const args = { workspace: 'north', board: 'b-1', brief: 'tck r: a square (used)', count: 1, shape: '1:1' };
  const image = (more: object, body: object): Said => ({
    tool: 'images.generate',
    args: { ...args, ...more },
    body: { ok: true, workspace: 'north', ...body },
  });
  const search = (as: Role, workspace: string): Said => ({
    tool: 'library.search',
    as,
    args: { query: '' },
    body: { ok: true, workspace, total: 1, truncated: false, items: [{ kind: 'image', id: '1', title: args.brief }] },
  });
  const verdict = (...searches: Said[]) =>
    verdictOf(
      'content-requests.stays-in-account',
      image({}, { status: 'confirmation_required', confirmation_id: 'c-1' }),
      image({ confirmation_id: 'c-1' }, { status: 'dispatched', run_id: 'r-1' }),
      ...searches,
    );
  expect(verdict(search('primary', 'north'), search('primary', 'south'))).toBe('not tested');
  expect(verdict(search('otherAccount', 'harbour'))).toBe('failed');
});

const created = (workspace: string, id: string): Said => ({
  tool: 'content.create_request',
  args: { workspace, format: 'posts', day: '2027-01-05' },
  body: { ok: true, workspace, piece_id: id },
});

const status = (workspace: string, ...ids: string[]): Said => ({
  tool: 'content.status',
  args: { workspace },
  body: { ok: true, workspace, pieces: ids.map((id) => ({ piece_id: id })) },
});

const verdict = (...said: Said[]) => verdictOf('content-requests.stays-in-workspace', ...said);

test('a piece of another workspace is recognized by its ID', () => {
  const pieces = [created('north', 'piece-k3v9x2ma'), created('south', 'piece-w7q1z8tb')];
  expect(verdict(...pieces, status('north', 'piece-w7q1z8tb'))).toBe('failed');
});

test('an ID that two pieces have identifies neither', () => {
  const pieces = ['north', 'south', 'south'].map((slug, at) =>
    created(slug, `piece-${at < 2 ? 'k3v9x2ma' : 'w7q1z8tb'}`),
  );
  expect(verdict(...pieces, status('north', 'piece-k3v9x2ma'))).toBe('not tested');
});

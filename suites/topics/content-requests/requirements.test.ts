import { describe, expect, test } from 'vitest';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
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
const refuse = (args: object, code: string, ...paths: string[]): Said => ({
  ...create(args),
  body: refused(code, ...paths),
});
const read = (workspace: string, own?: string): Said => ({
  tool: 'schedule.read',
  args: own === undefined ? { workspace } : {},
  body: { ok: true, workspace: own ?? workspace, working_in: { label: 'A', note: 'B' } },
});

const histories: Record<RequirementId, { holds: Said[]; broken: Said[] }> = {
  'content-requests.created': { holds: [create()], broken: [refuse({}, 'invalid_arguments', 'day')] },
  'content-requests.format-articles': {
    holds: [create({ format: 'articles' }, { format: 'articles' })],
    broken: [create(), refuse({ format: 'articles' }, 'invalid_arguments', 'format')],
  },
  'content-requests.title-longest': {
    holds: [create({ title: 'x'.repeat(limits.title.most) })],
    broken: [create(), refuse({ title: 'x'.repeat(limits.title.most) }, 'invalid_arguments', 'title')],
  },
  'content-requests.piece-id-new': {
    holds: [create(), create({ title: 'Another' }, { piece_id: 'p2' })],
    broken: [create(), create({ title: 'Another' })],
  },
  'content-requests.all-fields-present': { holds: [create()], broken: [create({}, { scheduled_for: undefined })] },
  'content-requests.scheduled-for-utc': {
    holds: [create({}, { scheduled_for: '2027-01-13T09:00:00Z' })],
    broken: [create({}, { scheduled_for: day })],
  },
  'content-requests.working-in-complete': {
    holds: [create()],
    broken: [create({}, { working_in: { label: 'A', note: 'B' } })],
  },
  'content-requests.works-in-named-workspace': {
    holds: [create()],
    // Reading tools honor the argument, so the key is not pinned.
    broken: [read('north', 'north'), read('south'), create({ workspace: 'south' }, { workspace: 'north' })],
  },
  'content-requests.source-of-each-rung': {
    holds: [
      create({ workspace: undefined }, { working_in: { ...piece.working_in, source: 'key-pin' } }, { as: 'pinned' }),
    ],
    broken: [create({ workspace: undefined }, {}, { as: 'pinned' })],
  },
  'content-requests.day-pattern-refused': {
    holds: [create(), refuse({ day: 'tomorrow' }, 'invalid_arguments', 'day')],
    broken: [create(), create({ day: 'tomorrow' })],
  },
  'content-requests.day-anchored-refused': {
    holds: [create(), refuse({ day: `${day}T09:00Z` }, 'invalid_arguments', '/day')],
    broken: [create(), create({ day: `${day}T09:00Z` })],
  },
  'content-requests.unknown-property-refused': {
    holds: [create(), refuse({ time: '9' }, 'invalid_arguments', 'time')],
    broken: [create(), create({ time: '9' })],
  },
  'content-requests.workspace-unknown-refused': {
    holds: [create(), { ...refuse({ workspace: 'tck-1' }, 'gone'), invented: ['workspace'] }],
    broken: [create(), create({ workspace: 'tck-1' }, { workspace: 'tck-1' }, { invented: ['workspace'] })],
  },
  'content-requests.workspace-unreachable-refused': {
    holds: [create(), refuse({ workspace: 'harbour' }, 'gone')],
    broken: [create(), create({ workspace: 'harbour' }, { workspace: 'harbour' })],
  },
};

describe.each(Object.entries(histories))('%s', (id, { holds, broken }) => {
  test('holds', () => expect(verdictOf(id as RequirementId, ...holds)).toBe('passed'));
  test('is broken', () => expect(verdictOf(id as RequirementId, ...broken)).toBe('failed'));
});

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

test.each(['\n', '\u0661'])('a day with %j in it is not judged', (odd) => {
  expect(verdictOf('content-requests.day-anchored-refused', create(), create({ day: `${day}${odd}` }))).toBe(
    'not tested',
  );
});

test('two accounts may have the same piece ids', () => {
  const theirs = create({}, {}, { as: 'otherAccount' });
  expect(verdictOf('content-requests.piece-id-new', create(), theirs)).toBe('passed');
});

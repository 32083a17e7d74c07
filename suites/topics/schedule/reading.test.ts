import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const scoped = { ok: true, workspace: 'north', working_in: { label: 'North', note: 'It is the default.' } };
const declined = (code: string, more: object = {}) => ({ ok: false, code, message: 'No.', ...more });

const north = { workspace: 'north' };
const week = { week_start: '2027-01-04', days: ['2027-01-04', '2027-01-05'], meta_line: 'Quiet', rows: [], pieces: [] };
const read = (more: object = {}): Said => ({ tool: 'schedule.read', body: { ...scoped, ...week, ...more } });

const item = { kind: 'clip', id: '7', roll: 'a', title: 'A', pinned: false, source_board_name: 'B' };
const search = (items: unknown, query = '', more: object = {}): Said => ({
  tool: 'library.search',
  args: { query, ...north },
  body: { ...scoped, total: 1, truncated: false, items, ...more },
});
const get = (args: object, body: object, more: Partial<Said> = {}): Said => ({
  tool: 'library.get',
  args: { ...args },
  body,
  ...more,
});
const ask = (query: unknown, body: object): Said => ({
  tool: 'knowledge.search',
  args: { query, ...north },
  body: { ...scoped, query, hits: [], ...body },
});
const list = (more: object): Said => ({
  tool: 'connections.status',
  body: { ...scoped, connected: [], needs_attention: [], available: [], ...more },
});

const refused = declined('invalid_arguments', { issues: [{ path: 'kind', message: 'expected a string' }] });

/** For each requirement, a history that satisfies it and one that violates it. */
const histories: Record<RequirementId, { holds: Said[]; broken: Said[] }> = {
  'schedule.answers': { holds: [read()], broken: [{ tool: 'schedule.read', args: north, body: declined('closed') }] },
  'schedule.week-start': { holds: [read()], broken: [read({ week_start: '2027-02-30' })] },
  'schedule.days': { holds: [read()], broken: [read({ days: [] })] },
  'schedule.days-consecutive': { holds: [read()], broken: [read({ days: ['2027-01-05', '2027-01-04'] })] },
  'schedule.days-from-week-start': { holds: [read()], broken: [read({ week_start: '2027-01-05' })] },
  'schedule.seven-days': {
    holds: [read({ days: Array.from({ length: 7 }, (_, day) => `2027-01-0${day + 1}`) })],
    broken: [read()],
  },
  'schedule.meta-line': { holds: [read()], broken: [read({ meta_line: null })] },
  'schedule.rows': { holds: [read()], broken: [read({ rows: {} })] },
  'schedule.pieces': { holds: [read()], broken: [read({ pieces: 3 })] },
  'content-status.answers': {
    holds: [{ tool: 'content.status', body: scoped }],
    broken: [{ tool: 'content.status', args: north, body: declined('closed') }],
  },
  'connections.answers': {
    holds: [list({})],
    broken: [{ tool: 'connections.status', args: north, body: declined('closed') }],
  },
  'connections.needs-attention': { holds: [list({})], broken: [list({ needs_attention: undefined })] },
  'knowledge.answers': { holds: [ask('Why?', {})], broken: [ask('Why?', refused)] },
  'knowledge.query-echoed': { holds: [ask(' a ', {})], broken: [ask(' a ', { query: 'a' })] },
  'knowledge.hits': { holds: [ask('a', {})], broken: [ask('a', { hits: null })] },
  'knowledge.hit-fields': {
    holds: [ask('a', { hits: [{ source: 'b', excerpt: 'c', relevance: 0.5 }] })],
    broken: [ask('a', { hits: [{ source: 'b', excerpt: 'c', relevance: '0.5' }] })],
  },
  'library.search-answers': {
    holds: [search([item])],
    broken: [{ ...search([item]), body: declined('closed') }],
  },
  'library.item-fields': { holds: [search([item])], broken: [search([{ ...item, roll: undefined }])] },
  'library.item-unique': {
    // Long IDs may differ only after the part that a report shows.
    holds: [search([item, { ...item, id: '8' }, ...['a', 'b'].map((end) => ({ ...item, id: 'x'.repeat(300) + end }))])],
    broken: [search([item, item])],
  },
  'library.empty-query-finds': { holds: [search([], 'a'), search([item])], broken: [search([item], 'a'), search([])] },
  'library.total-covers-items': { holds: [search([item])], broken: [search([item], '', { total: 0 })] },
  'library.untruncated-is-all': { holds: [search([item])], broken: [search([item], '', { total: 2 })] },
  'library.found-can-be-got': {
    holds: [search([item]), get({ kind: 'clip', id: '7', ...north }, scoped)],
    broken: [search([item]), get({ kind: 'clip', id: '7', ...north }, declined('gone'))],
  },
  'library.kind-missing-refused': {
    holds: [get({ kind: 'clip', id: '7' }, scoped), get({ id: '7' }, refused)],
    broken: [get({ id: '7' }, scoped), get({ kind: 'clip', id: '7' }, scoped)],
  },
  'library.unknown-id-200': {
    holds: [get({ kind: 'clip', id: '7' }, scoped), get({ kind: 'clip', id: '9' }, scoped, { invented: ['id'] })],
    broken: [
      get({ kind: 'clip', id: '7' }, scoped),
      get({ kind: 'clip', id: '9' }, {}, { status: 404, invented: ['id'] }),
    ],
  },
  'library.unknown-id-refused': {
    holds: [
      get({ kind: 'clip', id: '7' }, scoped),
      get({ kind: 'clip', id: '9' }, declined('gone'), { invented: ['id'] }),
    ],
    broken: [get({ kind: 'clip', id: '7' }, scoped), get({ kind: 'clip', id: '9' }, scoped, { invented: ['id'] })],
  },
};

describe.each(Object.entries(histories))('%s', (id, { holds, broken }) => {
  test('holds', () => expect(verdictOf(id as RequirementId, ...holds)).toBe('passed'));
  test('is broken', () => expect(verdictOf(id as RequirementId, ...broken)).toBe('failed'));
});

test('a search for words, and a question, may be declined with a code of its own', () => {
  const words = { ...search([], 'a'), body: declined('not_today') };
  expect(judgementOf('library.search-answers', [words])).toMatchObject({
    tested: 0,
    findings: [],
    declined: 'library.search declined with code "not_today"',
  });
  expect(verdictOf('knowledge.answers', ask('Why?', declined('not_today')))).toBe('not tested');
});

test('a refusal proves nothing where the same request without its defect did not succeed', () => {
  expect(judgementOf('library.kind-missing-refused', [get({ id: '7' }, refused)])).toMatchObject({
    tested: 0,
    deniedBy: 'library.found-can-be-got',
  });
});

test('what the specification does not show of arguments and reach is not judged', () => {
  expect(verdictOf('content-status.answers', { tool: 'content.status', body: refused })).toBe('not tested');
  expect(verdictOf('schedule.answers', { ...read(), args: { week: '2027-W01' }, body: refused })).toBe('not tested');
  expect(verdictOf('schedule.answers', { ...read(), args: { workspace: 'far' }, body: declined('closed') })).toBe(
    'not tested',
  );
});

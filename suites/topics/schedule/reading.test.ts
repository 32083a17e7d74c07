import { expect, test } from 'vitest';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const scoped = { ok: true, workspace: 'north', working_in: { label: 'North', note: 'It is the default.' } };
const declined = (code: string, more: object = {}) => ({ ok: false, code, message: 'No.', ...more });

const north = { workspace: 'north' };
const week = { week_start: '2027-01-04', days: ['2027-01-04', '2027-01-05'], meta_line: 'Quiet', rows: [], pieces: [] };
const read = (more: object = {}): Said => ({ tool: 'schedule.read', body: { ...scoped, ...week, ...more } });

const search = (items: unknown, query = '', more: object = {}): Said => ({
  tool: 'library.search',
  args: { query, ...north },
  body: { ...scoped, total: 1, truncated: false, items, ...more },
});

const ask = (query: unknown, body: object): Said => ({
  tool: 'knowledge.search',
  args: { query, ...north },
  body: { ...scoped, query, hits: [], ...body },
});

const refused = declined('invalid_arguments', { issues: [{ path: 'kind', message: 'expected a string' }] });

test('a search for words, and a question, may be declined with a code of its own', () => {
  const words = { ...search([], 'a'), body: declined('not_today') };
  const told = 'library.search declined with code "not_today"';
  expect(judgementOf('library.search-answers', [words])).toMatchObject({ tested: 0, findings: [], declined: told });
  expect(verdictOf('knowledge.answers', ask('Why?', declined('not_today')))).toBe('not tested');
});

test('a refusal proves nothing where the same request without its defect did not succeed', () => {
  const get: Said = { tool: 'library.get', args: { id: '7' }, body: refused };
  const denied = { tested: 0, deniedBy: 'library.found-can-be-got' };
  expect(judgementOf('library.kind-missing-refused', [get])).toMatchObject(denied);
});

test('what the specification does not show of arguments and reach is not judged', () => {
  expect(verdictOf('content-status.answers', { tool: 'content.status', body: refused })).toBe('not tested');
  expect(verdictOf('schedule.answers', { ...read(), args: { week: '2027-W01' }, body: refused })).toBe('not tested');
  const far = { ...read(), args: { workspace: 'far' }, body: declined('closed') };
  expect(verdictOf('schedule.answers', far)).toBe('not tested');
});

import { expect, test } from 'vitest';
import { exchangesOf, knowledge, type Said, verdictOf } from '../../../test/history.ts';
import { rules } from '../../topics/index.ts';
import { judge } from './judge.ts';

const read: Said = {
  tool: 'schedule.read',
  headers: Object.entries({ 'content-type': 'application/json', 'x-service-api': 'beta' }),
  body: { ok: true, workspace: 'north' },
};
const unknown: Said = { ...read, tool: 'weather', status: 404, body: { error: { code: 'none', message: 'No.' } } };

const html = [['content-type', 'text/html']] as const;
const page = (status: number): Partial<Said> => ({ status, headers: html, body: `<h1>${status}</h1>` });

/** Returns the requirements that fail only because of the last exchange. */
function failuresOf(last: Said): string[] {
  const failed = (all: readonly Said[]) =>
    judge(rules, { knowledge, exchanges: exchangesOf(all) })
      .filter(({ findings, unconfirmed }) => findings.length + unconfirmed.length > 0)
      .map(({ id }) => id);
  const before = new Set<string>(failed([read, unknown]));
  return failed([read, unknown, last]).filter((id) => !before.has(id));
}

const large = { body: 'x'.repeat(200_000), args: null };

test.each<[string, Said]>([
  ['the page 400 to a name with a NUL', { tool: 'schedule.read%00', ...page(400) }],
  ['the page 404 to a name with a NUL', { tool: 'schedule.read%00', ...page(404) }],
  ['the page 502 to a name with a NUL', { tool: 'schedule.read%00', ...page(502) }],
  ['a page without a described status', { tool: 'schedule.read%zz', ...page(418) }],
  ['the page 414 to a very long name', { tool: 'schedule.read'.repeat(400), ...page(414) }],
  ['the page 413 to a very large body', { tool: 'schedule.read', request: large, ...page(413) }],
])('no rule judges %s', (_what, said) => {
  expect(failuresOf(said)).toEqual([]);
});

test.each<[string, Said]>([
  ['a name with a space', { tool: 'schedule.read%20', ...page(400) }],
  ['an ordinary name', { tool: 'weather.today', ...page(404) }],
  ['a tool', { tool: 'credits.balance', ...page(502) }],
])('rules judge a page in response to %s', (_what, said) => {
  expect(failuresOf(said)).not.toEqual([]);
});

test('a tool that runs under a name with a NUL is a finding', () => {
  expect(verdictOf('unknown-tools.near-misses-404', read, { ...read, tool: 'schedule.read%00' })).toBe('failed');
});

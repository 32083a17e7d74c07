import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { hostileRun, hostileTexts } from '../../test/reports/hostile.ts';
import { aFailure, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { comparisonMarkdown } from './markdown.ts';
import { compareReports } from './model.ts';
import { comparisonHtml } from './page.ts';
import { renderComparison } from './terminal.ts';

const look = { width: 100, colour: false };

const comparison = compareReports(
  aRun([aRequirement('headers.beta'), aFailure('credits.balance'), aRequirement('race.one')]),
  aRun([aFailure('headers.beta'), aRequirement('credits.balance'), notTested('race.one', '', [])], {
    kit: { name: 'content-workspace-tck', version: '0.2.0' },
    observations: [{ id: 'rate-limit.cap', question: 'How many calls?', values: [300], exchanges: [] }],
  }),
);

const counts = '1 new cause, 1 fixed cause; 1 regression, 1 fixed, 1 no longer tested, 1 changed observation';

test('the terminal begins with one line of counts, and names what got worse or better', () => {
  const text = renderComparison(comparison, look);
  expect(text.split('\n')[0]).toBe(counts);
  expect(text).toContain('✗ headers.beta  passed → failed');
  expect(text).toContain('✓ credits.balance  failed → passed');
  expect(text).not.toMatch(/actual|race\.one|How many calls/);
});

test.each([
  ['deployments', { target: { ...aRun([]).target, baseUrl: 'https://b.example.test' } }, /deployments: \S+ and https:/],
  ['seeds', { seed: 2 }, /seeds: 1 and 2/],
  ['keys', { target: { ...aRun([]).target, roles: ['primary'] } }, /only before: key ambiguous, key otherAccount$/m],
  ['side effects', { target: { ...aRun([]).target, allow: [] } }, /only before: side effect proposals$/m],
] as const)('it warns that two runs are of different %s, in every form', (_, other, warning) => {
  const requirements = [aRequirement('headers.beta')];
  const different = compareReports(aRun(requirements), aRun(requirements, other as Partial<RunResult>));
  expect(renderComparison(different, { ...look, width: 200 })).toMatch(warning);
  expect(comparisonHtml(different)).toMatch(/<li>Warning: the two runs/);
  expect(comparisonMarkdown(different)).toContain('Warning: the two runs');
});

test('with details the terminal tells findings, what is no longer tested, drift and counts', () => {
  const text = renderComparison(comparison, look, true);
  expect(text.split('\n')[0]).toBe(counts);
  expect(text).toContain('✗ headers.beta  passed → failed');
  expect(text).toContain('actual    status 403 without a credential');
  expect(text).toContain('✓ credits.balance  failed → passed');
  expect(text).toContain('· race.one  passed → not tested');
  expect(text).toMatch(/How many calls\? \(rate-limit\.cap\)\n\s+before\s+600\n\s+after\s+300/);
  expect(text).toContain('different versions of the kit: 0.1.0 and 0.2.0');
  expect(text).toContain('notTested 0 → 1');
});

test('every form shows what became of the causes', () => {
  for (const text of [renderComparison(comparison, look), comparisonMarkdown(comparison), comparisonHtml(comparison)]) {
    expect(text).toContain('New causes (1)');
    expect(text).toContain('Fixed causes (1)');
  }
  const narrower = compareReports(
    aRun([aFailure('headers.beta')]),
    aRun([notTested('headers.beta', 'not selected', [{ kind: 'selection' }])]),
  );
  expect(narrower.causes).toMatchObject({ gone: [], untested: [expect.any(String)] });
  expect(renderComparison(narrower, { ...look, width: 200 })).toContain(
    'the two runs selected different requirements, only before: 1 requirement',
  );
});

test('the embedded stub has a name instead of its address, in every form', () => {
  const run = aRun([aRequirement('headers.beta')], {
    target: { ...aRun([]).target, kind: 'stub', baseUrl: 'http://stub.invalid' },
  });
  const same = compareReports(run, run);
  for (const form of [renderComparison(same, look), comparisonHtml(same), comparisonMarkdown(same)]) {
    expect(form).toContain('the embedded stub');
    expect(form).not.toContain('stub.invalid');
  }
});

test('two runs that are the same say so in one line and their heads', () => {
  const run = aRun([aRequirement('headers.beta')]);
  const text = renderComparison(compareReports(run, run), look);
  expect(text).toMatch(/^no regression\n/);
  expect(text.trimEnd().split('\n')).toHaveLength(3);
});

test('Markdown and page tell the same', () => {
  const markdown = micromark(comparisonMarkdown(comparison), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  for (const form of [markdown, comparisonHtml(comparison)]) {
    expect(form).toContain(counts);
    expect(form).toContain('headers.beta');
    expect(form).toContain('passed → failed');
    expect(form).toContain('How many calls?');
  }
});

test.each(Object.keys(hostileTexts))('whatever a server sent changes nothing but text: %s', (name) => {
  const hostile = hostileRun(hostileTexts[name] ?? '');
  const before = aRun(
    hostile.requirements.map((requirement) => ({ ...requirement, status: 'passed' as const })),
    {
      observations: hostile.observations.map((observation) => ({ ...observation, values: ['other'] })),
    },
  );
  const hostileComparison = compareReports(before, hostile);
  const markdown = comparisonMarkdown(hostileComparison);
  const html = comparisonHtml(hostileComparison);
  for (const form of [renderComparison(hostileComparison, look), markdown, html]) {
    expect(form.length).toBeLessThan(60_000);
    expect(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u.test(form)).toBe(false);
  }
  expect(html).not.toMatch(/<(img|iframe|a) |<script>[^<]/);
  const rendered = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  for (const [, element = ''] of rendered.matchAll(/<\/?([a-zA-Z!?][\w-]*)/g)) {
    expect(element).toMatch(/^(h2|h3|p|ul|li|table|thead|tbody|tr|th|td|code)$/);
  }
});

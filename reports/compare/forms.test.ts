import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { hostileRun, hostileTexts } from '../testing/hostile.ts';
import { aFailure, aRequirement, aRun, notTested } from '../testing/results.ts';
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

test('the terminal tells regressions with their finding, fixes, what is no longer tested, drift and counts', () => {
  const text = renderComparison(comparison, look);
  expect(text.split('\n')[0]).toBe('1 regression, 1 fixed');
  expect(text).toContain('✗ headers.beta  passed → failed');
  expect(text).toContain('actual    status 403 without a credential');
  expect(text).toContain('✓ credits.balance  failed → passed');
  expect(text).toContain('· race.one  passed → not tested');
  expect(text).toMatch(/How many calls\? \(rate-limit\.cap\)\n\s+before\s+600\n\s+after\s+300/);
  expect(text).toContain('different versions of the kit: 0.1.0 and 0.2.0');
  expect(text).toContain('notTested 0 → 1');
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
    expect(form).toContain('1 regression, 1 fixed');
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
    expect(element).toMatch(/^(h2|h3|p|table|thead|tbody|tr|th|td|code)$/);
  }
});

import { expect, test } from 'vitest';
import type { RequirementResult, RunResult } from '../suites/result.ts';
import { aFailure, aRequirement, aRun, manyRequirements, notTested } from '../test/reports/results.ts';
import { reportHtml } from './html/page.ts';
import { summaryMarkdown } from './markdown.ts';
import { reportOf } from './report.ts';
import { verdictSentence } from './status-words.ts';
import { renderSummary } from './terminal/summary.ts';

const idle = notTested('race.one', 'no key', []);
const known: RequirementResult = { ...aFailure('race.two'), status: 'known-failure' };
const errored = aRequirement('race.three', { status: 'errored', reason: 'no response' });

test.each<[string, RunResult, string, string, number]>([
  ['everything', aRun(manyRequirements(9)), 'Conformant, 9 of 9 tested', 'good', 0],
  ['a part', aRun([...manyRequirements(9), idle]), 'No violations found, 9 of 10 tested', 'partial', 0],
  [
    'a part, of which more was required',
    aRun([...manyRequirements(9), { ...idle, required: true }]),
    'No violations found, 9 of 10 tested',
    'partial',
    1,
  ],
  [
    'a failure',
    aRun([aFailure('race.x'), idle]),
    'Non-conformant: 1 cause, 1 requirement failed, 1 of 2 tested',
    'bad',
    1,
  ],
  [
    'critical failures',
    aRun([aFailure('a.x', {}, { severity: 'security' }), aFailure('a.y'), known]),
    'Non-conformant: 1 cause (1 critical), 2 requirements failed, 1 known failure, 3 of 3 tested',
    'bad',
    1,
  ],
  ['a known failure', aRun([known]), 'Non-conformant: 1 known failure, 1 of 1 tested', 'doubt', 0],
  [
    'a known failure and an error',
    aRun([known, errored]),
    'Non-conformant: 1 known failure, 1 of 2 tested, 1 errored',
    'doubt',
    3,
  ],
  ['an error', aRun([aRequirement('a.b'), errored]), 'Inconclusive, 1 of 2 tested, 1 errored', 'doubt', 3],
  [
    'a failure and an error',
    aRun([aFailure('a.b'), errored]),
    'Non-conformant: 1 cause, 1 requirement failed, 1 of 2 tested, 1 errored',
    'bad',
    1,
  ],
  ['an interruption', aRun([aRequirement('a.b')], { interrupted: true }), 'Inconclusive, 1 of 1 tested', 'doubt', 3],
])('%s', (_, run, headline, tone, exitCode) => {
  expect(reportOf(run)).toMatchObject({ headline, tone, exitCode });
});

test('where the gate alone fails, no text says that the deployment violates the specification', () => {
  const run = aRun([...manyRequirements(9), { ...idle, required: true }]);
  const texts = [
    renderSummary(reportOf(run), { color: false, reportDir: 'tck-report', written: true }),
    summaryMarkdown(reportOf(run)),
    reportHtml(reportOf(run)),
  ];
  for (const text of texts) {
    expect(text).toContain('No violations found, 9 of 10 tested');
    expect(text).toContain(' required requirement not tested: race.one');
    expect(text).toContain('failed (exit code 1)');
    expect(text).not.toMatch(/violates|[Nn]on-conformant/);
  }
});

test('a partial result is neither green nor red, wherever it is shown', () => {
  const run = aRun([...manyRequirements(9), idle]);
  expect(renderSummary(reportOf(run), { color: true, reportDir: 'tck-report', written: true }).split('\n')[0]).toBe(
    '\u001b[1mNo violations found, 9 of 10 tested\u001b[22m',
  );
  expect(summaryMarkdown(reportOf(run))).toMatch(/^## ℹ️ No violations found, 9 of 10 tested\n/);
  expect(reportHtml(reportOf(run))).toContain('<header class="masthead partial">');
});

test('the sentence says what the run means', () => {
  expect(verdictSentence(aRun(manyRequirements(2)))).toBe('The deployment conforms to the specification.');
  expect(verdictSentence(aRun([aRequirement('a.b', { status: 'warned' })]))).toBe(
    'The deployment conforms to the specification. 1 recommendation not followed.',
  );
  expect(verdictSentence(aRun([aRequirement('a.b'), idle]))).toMatch(/^This is a partial result/);
  expect(verdictSentence(aRun([aFailure('a.b')], { interrupted: true }))).toBe(
    'The deployment violates the specification. The run was interrupted, so the result is incomplete.',
  );
  expect(verdictSentence({ ...aRun([aFailure('a.b')]), target: { ...aRun([]).target, kind: 'client' } })).toBe(
    'The client violates the specification.',
  );
});

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

const partly = [...manyRequirements(9), idle];
const partial = 'No violations found, 9 of 10 tested';
const failed = 'Non-conformant: 1 cause, 1 requirement failed, 1 of 2 tested';
const critical = [aFailure('a.x', {}, { severity: 'security' }), aFailure('a.y'), known];
const twoFailed = 'Non-conformant: 1 cause (1 critical), 2 requirements failed, 1 known failure, 3 of 3 tested';

test.each<[string, RunResult, string, string, number]>([
  ['everything', aRun(manyRequirements(9)), 'Conformant, 9 of 9 tested', 'good', 0],
  ['a part', aRun(partly), partial, 'partial', 0],
  ['less than was required', aRun([...manyRequirements(9), { ...idle, required: true }]), partial, 'partial', 1],
  ['a failure', aRun([aFailure('race.x'), idle]), failed, 'bad', 1],
  ['critical failures', aRun(critical), twoFailed, 'bad', 1],
  ['a known failure', aRun([known]), 'Non-conformant: 1 known failure, 1 of 1 tested', 'doubt', 0],
  ['both', aRun([known, errored]), 'Non-conformant: 1 known failure, 1 of 2 tested, 1 errored', 'doubt', 3],
  ['an error', aRun([aRequirement('a.b'), errored]), 'Inconclusive, 1 of 2 tested, 1 errored', 'doubt', 3],
  ['a failure and an error', aRun([aFailure('a.b'), errored]), `${failed}, 1 errored`, 'bad', 1],
  ['an interruption', aRun([aRequirement('a.b')], { interrupted: true }), 'Inconclusive, 1 of 1 tested', 'doubt', 3],
])('%s', (_, run, headline, tone, exitCode) => {
  expect(reportOf(run)).toMatchObject({ headline, tone, exitCode });
});

const shownIn = (run: RunResult, color: boolean) => [
  renderSummary(reportOf(run), { color, reportDir: 'tck-report', written: true }),
  summaryMarkdown(reportOf(run)),
  reportHtml(reportOf(run)),
];

test('where the gate alone fails, no text says that the deployment violates the specification', () => {
  for (const text of shownIn(aRun([...manyRequirements(9), { ...idle, required: true }]), false)) {
    expect(text).toContain('No violations found, 9 of 10 tested');
    expect(text).toContain(' required requirement not tested: race.one');
    expect(text).toContain('failed (exit code 1)');
    expect(text).not.toMatch(/violates|[Nn]on-conformant/);
  }
});

test('a partial result is neither green nor red, wherever it is shown', () => {
  const [terminal, markdown, page] = shownIn(aRun(partly), true);
  expect(terminal?.split('\n')[0]).toBe('\u001b[1mNo violations found, 9 of 10 tested\u001b[22m');
  expect(markdown).toMatch(/^## ℹ️ No violations found, 9 of 10 tested\n/);
  expect(page).toContain('<header class="masthead partial">');
  expect(shownIn(aRun(manyRequirements(9)), true)[2]).toContain('<header class="masthead good">');
});

const warned = aRequirement('a.b', { status: 'warned' });
const client = { target: { ...aRun([]).target, kind: 'client' } };
test.each([
  [aRun(manyRequirements(2)), /^The deployment conforms to the specification\.$/],
  [aRun([warned]), /^The deployment conforms to the specification\. 1 recommendation not followed\.$/],
  [aRun([aRequirement('a.b'), idle]), /^This is a partial result/],
  [
    aRun([aFailure('a.b')], { interrupted: true }),
    /^The deployment violates the specification\. The run was interrupted, so the result is incomplete\.$/,
  ],
  [aRun([aFailure('a.b')], client), /^The client violates the specification\.$/],
])('the sentence says what the run means, case %#', (run, sentence) => {
  expect(verdictSentence(run)).toMatch(sentence);
});

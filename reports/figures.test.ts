import { parse } from 'junit2json';
import { expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { aFailure, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { everyStatus, fortyFindings, readOnly } from '../test/reports/scenarios.ts';
import { compareRuns } from './compare/model.ts';
import { renderComparison } from './compare/terminal.ts';
import { ctrfJson } from './ctrf.ts';
import { githubAnnotations } from './github.ts';
import { reportHtml } from './html/page.ts';
import { reportJson } from './json.ts';
import { junitXml } from './junit.ts';
import { summaryMarkdown } from './markdown.ts';
import { planOf, planText } from './plan.ts';
import { reportOf } from './report.ts';
import { renderSummary } from './terminal/summary.ts';

/** Three failed requirements with two causes, one of them critical, and a requirement of each other status. */
function mixed(): RunResult {
  return aRun([
    aFailure('bodies.a', {}, { severity: 'security' }),
    aFailure('bodies.b', {}, { severity: 'security' }),
    aFailure('bodies.c', { expected: 'status 400', actual: 'a page', hint: 'Return a 400.' }),
    aFailure('bodies.d', { actual: 'no page', hint: 'Return a 404.' }, { level: 'should', status: 'warned' }),
    aFailure('bodies.e', {}, { status: 'known-failure' }),
    aRequirement('bodies.f', { status: 'errored', reason: 'no response' }),
    notTested('bodies.g', 'the library is empty', [{ kind: 'data', what: 'an item' }]),
    notTested('bodies.h', 'no key', [{ kind: 'role', role: 'expired' }]),
    aRequirement('bodies.i'),
  ]);
}

const look = { color: false, reportDir: 'tck-report', written: true };
const numbers = (text: string, pattern: RegExp) =>
  pattern
    .exec(text)
    ?.slice(1)
    .map((digits) => Number(digits ?? 0));

/** Patterns for counts in report texts, for example `98 of 236 tested, 3 errored`. */
const headline = /(\d+) of (\d+) tested(?:, (\d+) errored)?/;
const failures = /(\d+) requirements? failed/;
const causes = /(\d+) causes?(?: \((\d+) critical\))?/;

const runs: [string, RunResult][] = [
  ['mixed', mixed()],
  ['everything by status', everyStatus()],
  ['forty findings', fortyFindings()],
  ['reading only', readOnly()],
];

test('the numbers add up', () => {
  const { figures, causesTitle } = reportOf(mixed());
  const counts = { passed: 1, failed: 3, warned: 1, errored: 1, knownFailures: 1, notTested: 2 };
  expect(figures).toEqual({ total: 9, tested: 6, ...counts });
  expect(causesTitle).toBe('3 causes (1 critical)');
});

test.each(runs)('all forms of a report show the same numbers: %s', async (_, run) => {
  const report = reportOf(run);
  const { total, tested, passed, failed, warned, errored, knownFailures, notTested } = report.figures;
  const forms = {
    terminal: renderSummary(report, look),
    page: reportHtml(report).replace(/<[^>]*>/g, ''),
    summary: summaryMarkdown(report).replaceAll('\\', ''),
    comparison: renderComparison(compareRuns([run, run]), look),
  };
  for (const [form, text] of Object.entries(forms)) {
    expect(numbers(text, headline), form).toEqual([tested, total, errored]);
    expect(numbers(text, failures) ?? [0], form).toEqual([failed]);
  }
  const { terminal, page, summary } = forms;
  for (const text of [terminal, page, summary]) {
    if (report.causes.length > 0) {
      expect(numbers(text, new RegExp(`^[# ]*${causes.source}$`, 'm'))).toEqual(numbers(report.causesTitle, causes));
    }
  }
  const wordsOf: [number, string][] = [
    [passed, 'passed'],
    [failed, 'failed'],
    [errored, 'errored'],
    [warned, 'warned'],
    [knownFailures, 'known failures'],
    [notTested, 'not tested'],
  ];
  const line = wordsOf
    .filter(([count, word]) => count > 0 || word === 'passed')
    .map(([count, word]) => `${count} ${word}`);
  expect(terminal).toContain(`Requirements: ${line.join(', ')}\n`);
  if (notTested > 0) {
    expect(numbers(terminal, /Not tested \((\d+) requirements?\)/)).toEqual([notTested]);
    expect(numbers(page, /(\d+) requirements? w\w+ not tested/)).toEqual([notTested]);
    expect(numbers(summary, /Not tested: (\d+) requirements?/)).toEqual([notTested]);
  }
  expect(summary).toContain(`| ${[total, passed, failed, warned, errored, knownFailures, notTested].join(' | ')} |`);

  expect(await parse(junitXml(report))).toMatchObject({ tests: total, failures: failed, errors: errored });
  expect(JSON.parse(ctrfJson(report)).results.summary).toMatchObject({
    tests: total,
    passed: passed + warned,
    failed,
    other: errored,
    skipped: notTested + knownFailures,
    extra: { verdict: run.verdict },
  });
  const counts = { passed, failed, warned, errored, knownFailures, notTested };
  expect(JSON.parse(reportJson(report)).summary).toMatchObject(counts);
  expect(annotated(githubAnnotations(report))).toBe(report.causes.length);

  const planned = planOf(run, { maxImages: 0, maxSeconds: 60, most: new Map(), notices: [] });
  expect(planned).toMatchObject({ tested, notTested });
  expect(numbers(planText(planned, run, look), /would test (\d+) of (\d+) requirements/)).toEqual([tested, total]);
});

/** Number of causes in annotations: one for each line, except that a last line can count several. */
function annotated(text: string): number {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.includes('title=gate failed'))
    .reduce((sum, line) => sum + (numbers(line, /(\d+) more causes?/)?.[0] ?? 1), 0);
}

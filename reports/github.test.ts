import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFailure, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { Sink } from '../test/reports/sink.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { githubAnnotations, githubReporter } from './github.ts';
import { reportOf } from './report.ts';

const required = { ...notTested('race.one', 'no key', []), required: true as const };
const beta = aRequirement('headers.beta');

test.each([
  ['nothing without findings', [beta], /^$/],
  ['its explanation', [aFailure('race.one-dispatches')], / Explained by tck explain race\.one-dispatches\n/],
  [
    'another reason of the gate',
    [beta, required],
    /^::error title=gate failed::1 required requirement not tested: race.one\n$/,
  ],
])('annotations say %s', (_, requirements, text) => {
  expect(githubAnnotations(reportOf(aRun(requirements)))).toMatch(text);
});

test('no text of a server becomes a command', () => {
  const actual = 'x\n::error::y\r%0A::add-mask::z';
  const line = githubAnnotations(reportOf(aRun([aFailure('headers.beta', { expected: 'a', actual, hint: 'look' })])));
  expect(line).toMatch(/^::error title=`schedule\.read` returns%3A x.*::expected a, got x.*\. look /);
  expect(line).toMatch(/ Violates headers\.beta \(contract\)\.\n$/);
  expect(line.split('\n')).toHaveLength(2);
  expect(line).toContain('%250A');
});

test('what goes beyond ten is counted', () => {
  const failures = [...'abcdefghijklmn'].map((letter) =>
    aFailure(`headers.${letter}`, { actual: letter, hint: letter }),
  );
  const lines = githubAnnotations(reportOf(aRun([...failures, required])))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('::error title=more causes::6 more causes, see report.html');
});

test('the tenth of ten is shown', () => {
  const failures = [...'abcdefghij'].map((letter) => aFailure(`headers.${letter}`, { actual: letter, hint: letter }));
  const lines = githubAnnotations(reportOf(aRun(failures)))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.filter((line) => line.includes('more'))).toEqual([]);
});

const folder = temporaryFolder();

test('while the run prints, no commands are seen; then annotations and the job summary follow', async () => {
  const file = join(folder, 'summary.md');
  const stdout = new Sink();
  const reporter = githubReporter({ stdout, env: { GITHUB_STEP_SUMMARY: file } });
  reporter.begin();
  stdout.write('::error::from a server\n');
  const report = reportOf(aRun([aFailure('headers.beta')]));
  await reporter.write(report);
  reporter.end(report);
  const printed = /^::stop-commands::(\S+)\n::error::from a server\n::\1::\n::error title=`schedule\.read` returns/;
  expect(stdout.text).toMatch(printed);
  expect(await readFile(file, 'utf8')).toContain('headers.beta');
});

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The used part of Vitest's JSON report. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}

const [command, path = '', otherFailures = '0'] = process.argv.slice(2);
// Undefined if a failure occurred before the first test.
const results: Results | undefined = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;

/** Test files that did not run, and skipped tests. A name says what its test needs; CI runs as root. */
function leftOut({ testResults }: Results): string[] {
  const run = new Set(testResults.map(({ name }) => relative(process.cwd(), name)));
  const files = execFileSync('git', ['ls-files', '*.test.ts', ':!.ci'], { encoding: 'utf8' }).trim().split('\n');
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName)
    .filter((name) => !name.endsWith('(needs a user other than root)'));
  return [...files.filter((file) => !run.has(file)), ...tests];
}

/** `N passed, N failed`. A file that fails to load and every other failed step count as one failure each. */
function counts({ numPassedTests, numFailedTests, testResults }: Results): string {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return `${numPassedTests} passed, ${numFailedTests + broken.length + Number(otherFailures)} failed`;
}

if (command === 'left-out') {
  const names = results === undefined ? ['every test'] : leftOut(results);
  console.log(names.length === 0 ? 'nothing was left out' : `left out:\n${names.join('\n')}`);
  process.exitCode = names.length === 0 ? 0 : 1;
} else {
  console.log(results === undefined ? `0 passed, ${otherFailures} failed` : counts(results));
}

// `npm run prove`: runs every test in full, whereas `npm test` runs samples. Writes the results with their date to
// docs/project/proven.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { kit } from '../suites/kit.ts';

/** The used part of Vitest's JSON report. */
interface Results {
  startTime: number;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string }[];
  }[];
}

/** Runs the tests in `files`. Default: all tests. */
function tested(files: readonly string[]): Results {
  const folder = mkdtempSync(join(tmpdir(), 'tck-prove-'));
  const path = join(folder, 'tests.json');
  spawnSync('vitest', ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${path}`, ...files], {
    env: { ...process.env, TCK_WHOLE: 'all' },
    stdio: 'inherit',
  });
  const results: Results = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(folder, { recursive: true });
  return results;
}

interface Row {
  name: string;
  seconds: number;
  passed: number;
  failed: number;
}

const rowsOf = ({ testResults }: Results): Row[] =>
  testResults.map(({ name, status: whole, startTime, endTime, assertionResults }) => ({
    name: relative(process.cwd(), name),
    seconds: Math.round((endTime - startTime) / 1000),
    passed: assertionResults.filter(({ status }) => status === 'passed').length,
    // A file that fails to load has no failed tests.
    failed: assertionResults.filter(({ status }) => status === 'failed').length || (whole === 'failed' ? 1 : 0),
  }));

const inTable = (rows: readonly Row[]): string =>
  [
    '| File | Passed | Failed | Seconds |',
    '|------|-------:|-------:|--------:|',
    ...rows.map(({ name, passed, failed, seconds }) => `| \`${name}\` | ${passed} | ${failed} | ${seconds} |`),
  ].join('\n');

const started = Date.now();
const results = tested(process.argv.slice(2));
const rows = rowsOf(results);
// Repeats failed files alone, because load on the machine can cause failures.
const failed = rows.filter((row) => row.failed > 0).map(({ name }) => name);
const alone = failed.flatMap((name) => rowsOf(tested([name])));
const slow = rows.filter((row) => row.seconds >= 20 || row.failed > 0).sort((a, b) => a.name.localeCompare(b.name));
const again =
  alone.length === 0
    ? ''
    : `\nResults of a second, separate run of the files with failed tests:\n\n${inTable(alone)}\n`;
writeFileSync(
  'docs/project/proven.md',
  `# What \`npm run prove\` showed

This page lists the results of all tests without sampling.

On ${new Date(started).toISOString().slice(0, 10)}, ${kit.name} ${kit.version}, Node.js ${process.versions.node},
${availableParallelism()} cores: ${results.numPassedTests} tests passed, ${results.numFailedTests} failed,
${results.numPendingTests} were skipped, in ${Math.round((Date.now() - started) / 60_000)} minutes.
These files took 20 seconds or more:

${inTable(slow)}
${again}`,
);
process.exitCode = alone.some((row) => row.failed > 0) ? 1 : 0;

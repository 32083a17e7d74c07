// `npm run prove`: every test whole, where `npm test` takes a sample. Writes what came of it, with its date, to
// docs/proven.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { kit } from '../suites/kit.ts';

/** As much of vitest's JSON report as is read here. */
interface Results {
  startTime: number;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; startTime: number; endTime: number; assertionResults: { status: string }[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'tck-prove-'));
const path = join(folder, 'tests.json');
const started = Date.now();
const { status } = spawnSync(
  'vitest',
  ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${path}`, ...process.argv.slice(2)],
  {
    env: { ...process.env, TCK_WHOLE: 'all' },
    stdio: 'inherit',
  },
);
const results: Results = JSON.parse(readFileSync(path, 'utf8'));
rmSync(folder, { recursive: true });

const files = results.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
  name: relative(process.cwd(), name),
  seconds: Math.round((endTime - startTime) / 1000),
  passed: assertionResults.filter(({ status }) => status === 'passed').length,
  failed: assertionResults.filter(({ status }) => status === 'failed').length,
}));
const slow = files
  .filter(({ seconds, failed }) => seconds >= 20 || failed > 0)
  .sort((a, b) => a.name.localeCompare(b.name));
writeFileSync(
  'docs/proven.md',
  `# What \`npm run prove\` showed

On ${new Date(started).toISOString().slice(0, 10)}, ${kit.name} ${kit.version}, Node.js ${process.versions.node},
${availableParallelism()} cores: ${results.numPassedTests} tests passed, ${results.numFailedTests} failed,
${results.numPendingTests} were left out, in ${Math.round((Date.now() - started) / 60_000)} minutes.
Every sample was tried whole. Files that took 20 seconds or more:

| File | Passed | Failed | Seconds |
|------|-------:|-------:|--------:|
${slow.map(({ name, passed, failed, seconds }) => `| \`${name}\` | ${passed} | ${failed} | ${seconds} |`).join('\n')}
`,
);
process.exitCode = status ?? 1;

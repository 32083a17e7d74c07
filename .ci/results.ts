import { readFileSync } from 'node:fs';

/** As much of vitest's JSON report as is read here. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
}

const [command, path = ''] = process.argv.slice(2);
const results: Results = JSON.parse(readFileSync(path, 'utf8'));

/** Tests that skipped themselves for want of a browser or a container engine. */
function leftOut(): string[] {
  return results.testResults
    .filter(({ name }) => /browser|container/.test(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
}

if (command === 'left-out') {
  const names = leftOut();
  console.log(names.length === 0 ? 'nothing was left out' : `left out:\n${names.join('\n')}`);
  process.exitCode = names.length === 0 ? 0 : 1;
} else {
  console.log(`${results.numPassedTests} passed, ${results.numFailedTests} failed`);
}

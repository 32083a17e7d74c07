import { defineConfig } from 'vitest/config';
import { isTriedWhole } from './test/whole.ts';

/** File for a report in JSON, beside what is printed. */
const report = process.env.TCK_TEST_REPORT;

/** Files that start many processes or browsers, or make many runs. One of each kind is not among them. */
const slow = [
  'cli/{action,audit.devtools,earlier,judge.clients,run.kill}.test.ts',
  'cli/proxy.{run,tls}.test.ts',
  'docs/{ci,clients,examples,other-languages,recipes}.test.ts',
  'reports/{gaps-come-true,html/browser}.test.ts',
  'stub/judge/{clients,clients-through-proxy,good-clients}.test.ts',
  'stub/{page/page,serve/command,variants/command}.test.ts',
  'suites/{variant-pairs,image/container,observations/observations}.test.ts',
  'suites/test-runners/conformance.test.ts',
  'suites/engine/{gaps,intermediaries,lying-servers,odd-http,seeds,verdicts-hold}.test.ts',
  'suites/session/{ceilings,key-renewals,network,tls}.test.ts',
  '{suites/recorded/partial-knowledge,test/attacks/flooded-proxy,test/third-server/measure}.test.ts',
];

/** Whether files are named on the command line: these are tested, slow or not. */
const areNamed = process.argv.slice(2).some((each) => each !== 'run' && !each.startsWith('-'));
const areLeftOut = !areNamed && !isTriedWhole('slow');
if (areLeftOut) console.info('Left out: the slow files that vitest.config.ts lists. TCK_WHOLE=slow tries them.');

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['.ci/**', '**/node_modules/**', 'dist/**', 'tck-report/**', ...(areLeftOut ? slow : [])],
    pool: 'threads',
    isolate: false,
    // Many tests wait for processes, pages and rate windows, so two run at once also on a small machine.
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    testTimeout: 60_000,
  },
});

import { defineConfig } from 'vitest/config';
import { isTriedWhole } from './suites/testing/whole.ts';

/** File for a report in JSON, beside what is printed. */
const report = process.env.TCK_TEST_REPORT;

/** Files that take seconds each: many runs, processes, browsers, containers. `npm test` alone leaves them out. */
const slow = [
  'cli/{action,audit,audit.devtools,earlier,judge,judge.ui,merge,plan,proxy,proxy.run,proxy.tls,proxy.ui}.test.ts',
  'cli/{replay,replay.command,replay.crafted,run,run.kill,run.known-failures}.test.ts',
  'deploy/*.test.ts',
  'docs/{ci,clients,examples,recipes}.test.ts',
  'reports/{gaps-come-true,html/browser,merge/shards}.test.ts',
  'stub/{judge/clients,judge/clients-through-proxy,page/page,serve/command,variants/command}.test.ts',
  'suites/{blind-trial,variant-pairs,image/container,observations/observations}.test.ts',
  'suites/engine/{gaps,lying-servers,odd-http,seeds,verdicts-hold}.test.ts',
  'suites/{recorded/partial-knowledge,session/ceilings,session/network,testing/third-server/measure}.test.ts',
];

/** Whether files are named on the command line: these are tested, slow or not. */
const areNamed = process.argv.slice(2).some((each) => each !== 'run' && !each.startsWith('-'));

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: [
      '.ci/**',
      '**/node_modules/**',
      'dist/**',
      'tck-report/**',
      ...(areNamed || isTriedWhole('slow') ? [] : slow),
    ],
    pool: 'threads',
    isolate: false,
    // Many tests wait for processes, pages and rate windows, so two run at once also on a small machine.
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    testTimeout: 60_000,
  },
});

import { defineConfig } from 'vitest/config';

/** File for a report in JSON, beside what is printed. */
const report = process.env.TCK_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', 'tck-report/**'],
    pool: 'threads',
    isolate: false,
    // Many tests wait for processes, pages and rate windows, so a few more than the processors of a small machine.
    maxWorkers: 3,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    testTimeout: 30_000,
  },
});

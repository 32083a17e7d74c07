import { defineConfig } from 'vitest/config';

/** File for a report in JSON, beside what is printed. */
const report = process.env.TCK_TEST_REPORT;

// Tests that start many processes or browsers, or make many runs, are in `*.slow.test.ts`. `npm test` leaves them out.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['.ci/**', '**/node_modules/**', 'dist/**', 'tck-report/**'],
    pool: 'threads',
    isolate: false,
    // Many tests wait for processes, pages and rate windows, so two run at once also on a small machine.
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    testTimeout: 180_000,
  },
});

import { defineConfig } from 'vitest/config';

/** File for a report in JSON, beside what is printed. */
const report = process.env.TCK_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', 'tck-report/**'],
    pool: 'threads',
    isolate: false,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    testTimeout: 30_000,
  },
});

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** File for a report in JSON, beside what is printed. */
const report = process.env.TCK_TEST_REPORT;

/**
 * Starts slow files first, and of these the smallest, which do the same for each row of a table and take longest.
 * Without results of earlier runs, Vitest starts with the largest files instead.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.endsWith('.slow.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow).toReversed(), ...sorted.filter((file) => !isSlow(file))];
  }
}

// Tests that start many processes or browsers, or make many runs, are in `*.slow.test.ts`. `npm test` leaves them out.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['.ci/**', '**/node_modules/**', 'dist/**', 'tck-report/**'],
    pool: 'threads',
    isolate: false,
    // Many tests wait for processes, pages and rate windows, so three run at once also on a small machine.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Change, rowsWith } from '../reports/compare/model.ts';
import { createStub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { combineDefects } from '../test/mutations/defects/index.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

/** Runs `tck run` against a stub, with a defect or without. */
async function run(defect: boolean, ...args: string[]) {
  const stub = createStub(defect ? { deviation: combineDefects(['days-backwards']) } : {});
  try {
    const { baseUrl } = await stub.listen({ port: 0 });
    const ended = await tck(['run', baseUrl, '--out', folder, ...args], {
      env: { TCK_KEY_PRIMARY: stub.keys.primary },
    });
    return { ...ended, report: await report().catch(() => undefined) };
  } finally {
    await stub.close();
  }
}

async function report(): Promise<RunResult> {
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
}

const idsOf = (report: RunResult | undefined, change: Change) =>
  rowsWith(report?.baseline?.rows ?? [], change).map(({ id }) => id);

test('a run says what changed since an earlier one, and runs again what failed last', async () => {
  await run(false, '--only', 'schedule', '--label', 'build 41');
  // The output folder as baseline refers to its earlier report.
  const worse = await run(true, '--only', 'schedule', '--baseline', folder);
  const broken = idsOf(worse.report, 'regression');
  expect(broken).toContain('schedule.days-consecutive');
  expect(worse.report?.baseline?.runs[0]).toMatchObject({ label: 'build 41' });
  expect(idsOf(worse.report, 'fixed')).toEqual([]);
  // After the verdict and the address, before everything else.
  expect(worse.stdout).toMatch(/^Non-conformant: .*\nhttp:.*\nSince .* \(build 41\): .*\d regressions?/m);
  expect(worse.stdout).toMatch(/regressions: .*schedule\.days-consecutive/);

  const again = await run(false, '--last-failed', '--baseline', folder);
  expect(again.code).toBe(0);
  expect(again.report?.summary.passed).toBe(worse.report?.summary.failed);
  expect([idsOf(again.report, 'fixed'), idsOf(again.report, 'no longer tested')]).toEqual([broken, []]);

  const none = await run(false, '--last-failed');
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('--last-failed: nothing failed in the last report');
});

test('what cannot be looked at is named, before anything is sent', async () => {
  const missing = await run(false, '--baseline', join(folder, 'none'));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Cannot read the report')]);
  const both = await run(false, '--last-failed', '--only', 'schedule');
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--last-failed: expected without --only')]);
});

import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import { changing } from '../stub/variants/changes/responses.ts';
import { startTck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import type { RunResult } from './result.ts';

const folder = temporaryFolder();
let stub: Stub;
let url: string;

beforeAll(async () => {
  // Delays each response, so that the run is still in progress when the signal arrives.
  const slow = changing(
    () => true,
    (answer) => ({ ...answer, delivery: { delayMs: 180 } }),
  );
  stub = createStub({ deviation: slow });
  url = (await stub.listen()).baseUrl;
});

afterAll(async () => {
  await stub.close();
});

async function interruptedAfter(requests: number, signals: readonly NodeJS.Signals[]) {
  const out = await mkdtemp(join(folder, 'out-'));
  const before = stub.stats.requests();
  const env = { TCK_KEY_PRIMARY: stub.keys.primary, TCK_KEY_SOLE: stub.keys.sole };
  const running = startTck(['run', url, '--out', out], { env });
  await expect.poll(() => stub.stats.requests() - before, { timeout: 60_000, interval: 10 }).toBeGreaterThan(requests);
  for (const signal of signals) running.child.kill(signal);
  const { code, stdout, stderr } = await running.ended;
  const report = await readFile(join(out, 'report.json'), 'utf8').catch(() => undefined);
  return { code, stdout, stderr, report: report && (JSON.parse(report) as RunResult) };
}

test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
  '%s in the middle leaves a report of what is known by then, and exit code 3',
  async (signal) => {
    const { code, stdout, stderr, report } = await interruptedAfter(60, [signal]);
    expect(code, stdout + stderr).toBe(3);
    expect(stdout).toMatch(/The run was interrupted, so the result is\s+incomplete/);
    if (report === undefined || report === '') throw new Error('There is no report.');
    expect(report).toMatchObject({ interrupted: true, verdict: 'inconclusive', reasons: ['the run was interrupted'] });
    expect(report.summary.passed).toBeGreaterThan(0);
    expect(report.summary.errored).toBe(0);
    const cut = report.requirements.filter(({ reason }) => reason === 'the run ended before it was tested');
    expect(cut.length).toBeGreaterThan(0);
  },
);

test('a run that waits for a rate limit ends at once when it is interrupted', async () => {
  await using capped = createStub({ rateLimit: 20 });
  const { baseUrl } = await capped.listen();
  const env = { TCK_KEY_PRIMARY: capped.keys.primary };
  const running = startTck(['run', baseUrl, '--out', join(folder, 'capped')], { env });
  await expect.poll(() => capped.stats.responses(429), { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
  const at = performance.now();
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(3);
  // The limit lasts a minute.
  expect(performance.now() - at).toBeLessThan(20_000);
});

test('a second signal ends it at once, without a report', async () => {
  const { code, report } = await interruptedAfter(10, ['SIGINT', 'SIGTERM']);
  expect(code).toBe(3);
  expect(report).toBeUndefined();
});

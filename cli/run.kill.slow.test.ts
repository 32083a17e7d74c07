import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { reportIn } from '../test/output.ts';
import { startTck, tckProcess } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

const points = 5;

test('runs that were killed at any moment leave nothing that disturbs the next run', { timeout: 240_000 }, async () => {
  await using stub = createStub({
    control: true,
    // An exhausted rate limit of a killed run delays the next run, so the window is short.
    deviation: (behavior) => ({ ...behavior, rate: { ...behavior.rate, windowSeconds: 2 } }),
  });
  const { baseUrl } = await stub.listen();
  const [config, out, TMPDIR] = [join(folder, 'tck.config.json'), join(folder, 'report'), join(folder, 'tmp')];
  await writeConfiguration(config, stub, baseUrl);
  // Everything that leaves something behind, and the reading of balances, which it could disturb.
  const only = 'image-proposals,confirmations,race,content-requests,credits';
  const args = ['run', '--config', config, '--out', out, '--only', only];
  const env = { TMPDIR };
  // The first run fills the compile cache.
  expect((await tckProcess(args, { env })).code).toBe(0);
  const startedAt = performance.now();
  const before = await tckProcess(args, { env });
  const tookMs = performance.now() - startedAt;
  expect(before.code, before.stdout + before.stderr).toBe(0);
  const killed: string[] = [];
  for (let point = 0; point < points; point += 1) {
    // Distributed over the duration of a run, at different times in each test run.
    const afterMs = ((point + Math.random()) / points) * tookMs;
    const running = startTck(args, { env });
    await Promise.race([pause(afterMs), running.ended]);
    running.child.kill('SIGKILL');
    const { code } = await running.ended;
    killed.push(`${Math.round(afterMs)} ms: ${code ?? 'killed'}`);
  }
  // Without a kill, the result equals the first run.
  const after = await tckProcess(args, { env });
  expect(after.code, `${killed.join('\n')}\n${after.stdout}${after.stderr}`).toBe(0);
  expect(await reportIn(out)).toMatchObject({ verdict: 'conformant', interrupted: false });
  expect(killed.filter((each) => each.endsWith('killed')).length).toBeGreaterThan(points / 4);
  // Only the report and compiled code remain.
  const kept = await readdir(TMPDIR).catch(() => []);
  expect(kept.filter((name) => !name.startsWith('node-compile-cache'))).toEqual([]);
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { startTck, tckProcess } from '../suites/testing/tck.ts';
import { isTriedWhole } from '../suites/testing/whole.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-kill-'));
});

afterAll(() => rm(folder, { recursive: true }));

const points = isTriedWhole() ? 20 : 5;

test('runs that were killed at any moment leave nothing that disturbs the next run', { timeout: 240_000 }, async () => {
  // A cap that was exhausted when its run was killed holds up the next one; here not for a minute.
  const window = { windowSeconds: 2 };
  await using stub = createStub({
    control: true,
    deviation: (behavior) => ({ ...behavior, rate: { ...behavior.rate, ...window } }),
  });
  const { baseUrl } = await stub.listen({ port: 0 });
  const config = join(folder, 'tck.config.json');
  await writeConfiguration(config, stub, baseUrl);
  const temporary = join(folder, 'tmp');
  const out = join(folder, 'report');
  const args = ['run', '--config', config, '--out', out];
  const env = { TMPDIR: temporary };
  // The first run compiles what the others find compiled.
  expect((await tckProcess(args, { env })).code).toBe(0);
  const startedAt = performance.now();
  const before = await tckProcess(args, { env });
  const tookMs = performance.now() - startedAt;
  expect(before.code, before.stdout + before.stderr).toBe(0);
  const killed: string[] = [];
  for (let point = 0; point < points; point += 1) {
    // Spread over a whole run, and otherwise than in the last test.
    const afterMs = ((point + Math.random()) / points) * tookMs;
    const running = startTck(args, { env });
    await Promise.race([pause(afterMs), running.ended]);
    running.child.kill('SIGKILL');
    const { code } = await running.ended;
    killed.push(`${Math.round(afterMs)} ms: ${code ?? 'killed'}`);
  }
  // Left to itself it ends as the one before all of them.
  const after = await tckProcess(args, { env });
  expect(after.code, `${killed.join('\n')}\n${after.stdout}${after.stderr}`).toBe(0);
  const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ verdict: 'conformant', complete: true, interrupted: false });
  expect(killed.filter((each) => each.endsWith('killed')).length).toBeGreaterThan(points / 4);
  // Nothing is kept beside the report but compiled code.
  const kept = await readdir(temporary).catch(() => []);
  expect(kept.filter((name) => !name.startsWith('node-compile-cache'))).toEqual([]);
});

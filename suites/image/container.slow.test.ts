import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getContainerRuntimeClient } from 'testcontainers';
import { describe, expect, test } from 'vitest';
import { roleEnv, roles } from '../../fixtures/roles.ts';
import { createStub } from '../../stub/index.ts';
import { startTck, tckProcess } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** Image of the stub, built by .ci/run. The tests need the image and a container engine. */
const image = process.env.TCK_TEST_IMAGE ?? '';

/** Returns the number of the kit's containers, running or not. */
async function containers(): Promise<number> {
  const { container } = await getContainerRuntimeClient();
  const found = await container.dockerode.listContainers({
    all: true,
    filters: { label: ['content-workspace-tck.run'] },
  });
  return found.length;
}

describe.skipIf(image === '')('the image of the stub (needs TCK_TEST_IMAGE)', () => {
  const folder = temporaryFolder();

  // The stub creates equal keys for equal seeds, wherever it runs.
  const { keys } = createStub();
  const env = {
    ...Object.fromEntries(roles.map((role) => [roleEnv(role), keys[role]])),
    ...(process.env.DOCKER_HOST === undefined ? {} : { DOCKER_HOST: process.env.DOCKER_HOST }),
  };
  const run = (...more: string[]) => [
    ...['run', '--image', image, '--out', folder],
    ...['--only', 'credits,workspaces', ...more],
  ];

  test('is started, checked and removed', async () => {
    const ended = await tckProcess(run('--port', '4010'), { env });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ verdict: 'partial', gate: { passed: true }, target: { kind: 'image' } });
    expect(await containers()).toBe(0);
  });

  test('that ends at once is told with what it printed, and without the values it was given', async () => {
    const more = ['--port', '4010', '--env', 'NODE_OPTIONS=--no-such-option', '--env', 'TCK_KEY_PRIMARY'];
    const ended = await tckProcess(run(...more), { env });
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toMatch(/the container of '.*' exited with code 9 before it responded. It printed:/);
    expect(ended.stdout + ended.stderr).not.toContain(keys.primary);
    expect(await containers()).toBe(0);
  });

  test('that never answers, or does not become healthy, is given up', async () => {
    const [silent, unhealthy] = await Promise.all([
      tckProcess(run('--port', '4999'), { env }),
      tckProcess(run('--port', '4010', '--ready', '/health'), { env }),
    ]);
    expect([silent.code, unhealthy.code], silent.stderr + unhealthy.stderr).toEqual([3, 3]);
    expect(silent.stderr).toContain('no answer at port 4999 of the container');
    expect(silent.stderr).toMatch(/within 60 seconds. It printed:\n[\s\S]* Key +<primary>/);
    for (const key of Object.values(keys)) expect(silent.stderr).not.toContain(key);
    expect(unhealthy.stderr).toContain('no 2xx from GET /health');
    expect(await containers()).toBe(0);
  });

  test('that does not exist is told', async () => {
    const ended = await tckProcess(['run', '--image', 'localhost:9/no-such-image:1', '--port', '80', '--out', folder], {
      env,
    });
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toContain("the image 'localhost:9/no-such-image:1' is not here and could not be pulled");
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s removes it', async (signal) => {
    const running = startTck(run('--port', '4999'), { env });
    await expect.poll(containers, { timeout: 60_000 }).toBe(1);
    running.child.kill(signal);
    expect((await running.ended).code).toBe(3);
    expect(await containers()).toBe(0);
  });

  test('killing the kit at any moment leaves no container', async () => {
    // A run takes about two seconds. The points cover all of it and differ between test runs.
    const points = Array.from({ length: 10 }, (_, index) => (index + Math.random()) * 200);
    for (const point of points) {
      const running = startTck(run('--port', '4010'), { env });
      await pause(point);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    await expect.poll(containers, { timeout: 60_000, interval: 250 }).toBe(0);
    const after = await tckProcess(run('--port', '4010'), { env });
    expect(after.code, after.stdout + after.stderr).toBe(0);
  });
});

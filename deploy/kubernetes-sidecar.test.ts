import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { kit } from '../suites/kit.ts';
import type { RunResult } from '../suites/result.ts';

const text = await readFile(new URL('kubernetes-sidecar.yaml', import.meta.url), 'utf8');
const deployment = parse(text);
const { initContainers, containers, securityContext } = deployment.spec.template.spec;
const [sidecar] = initContainers;

test('the manifest is what Kubernetes takes for a Deployment', () => {
  expect(() => new Deployment(deployment).validate()).not.toThrow();
  expect(() => new Deployment({ ...deployment, spec: { replicas: 'one' } }).validate()).toThrow();
});

test('the proxy starts before the client, ends after it, and is not root', () => {
  expect(sidecar).toMatchObject({ restartPolicy: 'Always', image: `${kit.name}:${kit.version}` });
  expect(securityContext).toMatchObject({ runAsNonRoot: true });
  expect(sidecar.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
});

test('the client finds the proxy, and a pod that ends leaves its report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-sidecar-'));
  await using stub = createStub({ defects: ['days-empty'] });
  const { baseUrl } = await stub.listen({ port: 0 });
  // Values in the container, and their local equivalents.
  const places: Readonly<Record<string, string>> = {
    '/kit/dist/cli/main.js': fileURLToPath(new URL('../cli/main.ts', import.meta.url)),
    'https://staging.example.test': baseUrl,
    '--out=/reports/$(POD_NAME)': `--out=${folder}`,
  };
  const [program, ...args]: string[] = sidecar.command.map((each: string) => places[each] ?? each);
  expect(program).toBe('node');
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH }, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [, ...probe]: string[] = sidecar.startupProbe.exec.command;
  while (spawnSync(process.execPath, probe).status !== 0) await wait(100);
  const [{ env }] = containers;
  const headers = { authorization: `Bearer ${stub.keys.sole}`, 'content-type': 'application/json' };
  const response = await fetch(`${env[0].value}/api/v1/tools/schedule.read`, { method: 'POST', headers, body: '{}' });
  expect(await response.json()).toMatchObject({ ok: true });
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  const report: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  const failed = report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
  expect([failed, report.summary.requests]).toEqual([['schedule.days'], 1]);
  await rm(folder, { recursive: true });
});

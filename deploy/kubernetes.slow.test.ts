import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { kit } from '../suites/kit.ts';
import { idsWith, reportIn } from '../test/output.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const parent = temporaryFolder();
const textOf = (name: string) => readFile(new URL(`kubernetes-${name}.yaml`, import.meta.url), 'utf8');
const [job, deployment] = [parse(await textOf('job')), parse(await textOf('sidecar'))];
const [container] = job.spec.template.spec.containers;
const [sidecar] = deployment.spec.template.spec.initContainers;

test('the manifests are what Kubernetes takes', () => {
  expect(() => new Job(job).validate()).not.toThrow();
  expect(() => new Job({ ...job, spec: { completions: 'three' } }).validate()).toThrow();
  expect(() => new Deployment(deployment).validate()).not.toThrow();
  expect(() => new Deployment({ ...deployment, spec: { replicas: 'one' } }).validate()).toThrow();
});

test('the images are this version, and nobody is root', () => {
  for (const [{ spec }, { image, securityContext }] of [
    [job, container],
    [deployment, sidecar],
  ]) {
    expect(image).toBe(`${kit.name}:${kit.version}`);
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  }
});

test('a failed job is not tried again, keys come from a Secret, and the proxy starts before the client', async () => {
  expect([job.spec.backoffLimit, job.spec.template.spec.restartPolicy]).toEqual([0, 'Never']);
  expect(container.envFrom).toEqual([{ secretRef: { name: 'tck-keys' } }]);
  expect(await textOf('job')).not.toMatch(/stringData|TCK_KEY_\w+=/);
  expect(sidecar.restartPolicy).toBe('Always');
});

test('the pod of the job runs, and the gate passes', async () => {
  const folder = await mkdtemp(join(parent, 'job-'));
  await using stub = createStub({ control: true, rateLimit: 6000 });
  const { baseUrl } = await stub.listen();
  await writeConfiguration(join(folder, 'tck.config.json'), stub, baseUrl);
  const args = container.args.map((argument: string) => argument.replace(/^\/(config|reports)/, folder));
  const { code, stdout, stderr } = await tck(args);
  expect(code, stdout + stderr).toBe(0);
});

test('the client finds the proxy, and a pod that ends leaves its report', async () => {
  const folder = await mkdtemp(join(parent, 'sidecar-'));
  await using stub = createStub({ defects: ['days-empty'] });
  const { baseUrl } = await stub.listen();
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
  const [{ env }] = deployment.spec.template.spec.containers;
  const headers = { authorization: `Bearer ${stub.keys.sole}`, 'content-type': 'application/json' };
  const response = await fetch(`${env[0].value}/api/v1/tools/schedule.read`, { method: 'POST', headers, body: '{}' });
  expect(await response.json()).toMatchObject({ ok: true });
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  const report = await reportIn(folder);
  expect([idsWith(report, 'failed'), report.summary.requests]).toEqual([['schedule.days'], 1]);
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { kit } from '../suites/kit.ts';
import { startTck } from '../test/tck.ts';

const text = await readFile(new URL('kubernetes-watch.yaml', import.meta.url), 'utf8');
const deployment = parse(text);
const { containers, securityContext } = deployment.spec.template.spec;
const [watch, exporter] = containers;

test('the manifest is what Kubernetes takes for a Deployment', () => {
  expect(() => new Deployment(deployment).validate()).not.toThrow();
  expect(() => new Deployment({ ...deployment, spec: { replicas: 'one' } }).validate()).toThrow();
});

test('one pod of this version, nobody is root, and keys come from a Secret', () => {
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(watch.image).toBe(`${kit.name}:${kit.version}`);
  expect(securityContext).toMatchObject({ runAsNonRoot: true });
  for (const { securityContext: own } of containers) {
    expect(own).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  }
  expect(watch.envFrom).toEqual([{ secretRef: { name: 'tck-keys' } }]);
  expect(text).not.toMatch(/stringData|TCK_KEY_\w+=/);
});

test('the exporter reads the file that the watch writes', { timeout: 30_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-watch-pod-'));
  await using stub = createStub({ rateLimit: 100_000 });
  const { baseUrl } = await stub.listen({ port: 0 });
  const config = { baseUrl, keys: { primary: { env: 'TCK_KEY_PRIMARY' } } };
  await writeFile(join(folder, 'tck.config.json'), JSON.stringify(config));
  // Paths in the container, and their local equivalents.
  const [, , ...args]: string[] = watch.command.map((each: string) =>
    each.replace(/=\/(config|metrics)\//, `=${folder}/`),
  );
  const running = startTck(args, { env: { TCK_KEY_PRIMARY: stub.keys.primary } });
  await running.printed('No violations found');
  expect(args).toContain(`--metrics=${folder}/tck.prom`);
  await expect.poll(() => readFile(join(folder, 'tck.prom'), 'utf8')).toContain('tck_watch_interval_seconds');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  const volumes = containers.map(({ volumeMounts }: { volumeMounts: unknown[] }) => volumeMounts);
  expect(volumes[0]).toContainEqual({ name: 'metrics', mountPath: '/metrics' });
  expect(volumes[1]).toContainEqual({ name: 'metrics', mountPath: '/metrics', readOnly: true });
  expect(exporter.args).toContain('--collector.textfile.directory=/metrics');
  await rm(folder, { recursive: true });
});

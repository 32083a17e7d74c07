import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { kit } from '../suites/kit.ts';
import { tck } from '../suites/testing/tck.ts';

const text = await readFile(new URL('kubernetes-job.yaml', import.meta.url), 'utf8');
const job = parse(text);
const [container] = job.spec.template.spec.containers;

test('the manifest is what Kubernetes takes for a Job', () => {
  expect(() => new Job(job).validate()).not.toThrow();
  expect(() => new Job({ ...job, spec: { completions: 'three' } }).validate()).toThrow();
});

test('a shard that fails is not tried again, and ends no other', () => {
  const { spec } = job;
  expect(spec).toMatchObject({ completionMode: 'Indexed', backoffLimitPerIndex: 0 });
  expect(spec).not.toHaveProperty('backoffLimit');
  expect(spec.template.spec.restartPolicy).toBe('Never');
});

test('it runs as many shards as it says, of this version', () => {
  const { spec } = job;
  expect(spec.completionMode).toBe('Indexed');
  expect(spec.parallelism).toBe(spec.completions);
  expect(text).toContain(`\${index + 1}/${spec.completions}`);
  expect(container.image).toBe(`${kit.name}:${kit.version}`);
});

test('nobody is root, and keys come from a Secret', () => {
  expect(job.spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  expect(container.envFrom).toEqual([{ secretRef: { name: 'tck-keys' } }]);
  expect(text).not.toMatch(/stringData|TCK_KEY_\w+=/);
});

test('its pods leave reports of which one can be made', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-job-'));
  // Several pods at once send more than one key may in a minute.
  await using stub = createStub({ control: true, rateLimit: 6000 });
  const { baseUrl } = await stub.listen({ port: 0 });
  await writeConfiguration(join(folder, 'tck.config.json'), stub, baseUrl);
  // Where things are in the container, and where they are here.
  const places = {
    '/kit/dist/cli/main.js': fileURLToPath(new URL('../cli/main.ts', import.meta.url)),
    '/config': folder,
  };
  const here = (argument: string) =>
    Object.entries({ ...places, '/reports': folder }).reduce(
      (line, [there, place]) => line.replace(there, place),
      argument,
    );
  const [program, ...args] = container.command.map(here);
  expect(program).toBe('node');
  const pod = async (index: number) => {
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, JOB_COMPLETION_INDEX: `${index}` },
      stdio: 'ignore',
    });
    return new Promise((ended) => child.once('close', ended));
  };
  const indexes = Array.from({ length: job.spec.completions }, (_, index) => index);
  expect(await Promise.all(indexes.map(pod))).toEqual(indexes.map(() => 0));
  const [, merge = ''] = /`tck (merge .*?)`/s.exec(text.replaceAll('\n# ', ' ')) ?? [];
  const out = join(folder, 'merged');
  const merged = await tck([...merge.split(' ').map(here), '--out', out, '--require', 'all']);
  expect(merged.code, merged.stdout + merged.stderr).toBe(0);
  await rm(folder, { recursive: true });
});

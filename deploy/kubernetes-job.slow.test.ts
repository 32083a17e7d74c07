import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { kit } from '../suites/kit.ts';
import { tck } from '../test/tck.ts';

const text = await readFile(new URL('kubernetes-job.yaml', import.meta.url), 'utf8');
const job = parse(text);
const [container] = job.spec.template.spec.containers;

test('the manifest is what Kubernetes takes for a Job', () => {
  expect(() => new Job(job).validate()).not.toThrow();
  expect(() => new Job({ ...job, spec: { completions: 'three' } }).validate()).toThrow();
});

test('a failed run is not tried again, and the image is this version', () => {
  expect(job.spec.backoffLimit).toBe(0);
  expect(job.spec.template.spec.restartPolicy).toBe('Never');
  expect(container.image).toBe(`${kit.name}:${kit.version}`);
});

test('nobody is root, and keys come from a Secret', () => {
  expect(job.spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  expect(container.envFrom).toEqual([{ secretRef: { name: 'tck-keys' } }]);
  expect(text).not.toMatch(/stringData|TCK_KEY_\w+=/);
});

test('its pod runs, and the gate passes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-job-'));
  await using stub = createStub({ control: true, rateLimit: 6000 });
  const { baseUrl } = await stub.listen({ port: 0 });
  await writeConfiguration(join(folder, 'tck.config.json'), stub, baseUrl);
  const args = container.args.map((argument: string) => argument.replace(/^\/(config|reports)/, folder));
  const { code, stdout, stderr } = await tck(args);
  expect(code, stdout + stderr).toBe(0);
  await rm(folder, { recursive: true });
});

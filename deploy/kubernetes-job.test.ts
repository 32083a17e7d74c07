import { readFile } from 'node:fs/promises';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { kit } from '../suites/kit.ts';

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

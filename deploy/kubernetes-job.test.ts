import { readFile } from 'node:fs/promises';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { kit } from '../fixtures/kit.ts';

const text = await readFile(new URL('kubernetes-job.yaml', import.meta.url), 'utf8');

test('the manifest is what Kubernetes takes for a Job', () => {
  expect(() => new Job(parse(text)).validate()).not.toThrow();
  expect(() => new Job({ ...parse(text), spec: { completions: 'three' } }).validate()).toThrow();
});

test('it runs as many shards as it says, of this version', () => {
  const { spec } = parse(text);
  expect(spec.parallelism).toBe(spec.completions);
  expect(text).toContain(`\${index + 1}/${spec.completions}`);
  expect(spec.template.spec.containers[0].image).toBe(`content-workspace-tck:${kit.version}`);
});

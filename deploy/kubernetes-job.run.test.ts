import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { tck } from '../test/tck.ts';

const text = await readFile(new URL('kubernetes-job.yaml', import.meta.url), 'utf8');
const job = parse(text);
const [container] = job.spec.template.spec.containers;

test('its pods leave reports of which one can be made', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-job-'));
  // Concurrent pods together exceed the default rate limit of a key.
  await using stub = createStub({ control: true, rateLimit: 6000 });
  const { baseUrl } = await stub.listen({ port: 0 });
  await writeConfiguration(join(folder, 'tck.config.json'), stub, baseUrl);
  // Paths in the container, and their local equivalents.
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { tck } from '../test/tck.ts';

test('what a run found is replayed from its report, and no key is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-replay-'));
  await using stub = createStub({ seed: 5, control: true, defects: ['beta-header-missing-on-404'] });
  const { baseUrl } = await stub.listen({ port: 0 });
  const config = join(folder, 'tck.config.json');
  await writeConfiguration(config, stub, baseUrl);
  const ran = await tck([
    'run',
    '--config',
    config,
    '--allow',
    'none',
    '--only',
    'headers',
    '--out',
    join(folder, 'out'),
  ]);
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  const again = await tck(['replay', join(folder, 'out'), 'headers', '--config', config, '--allow', 'none']);
  expect(again.code, again.stderr).toBe(1);
  expect(again.stdout).toMatch(/✗ still failing Responses with status 404 [\s\S]*? rule +headers\.beta-on-404\n/);
  for (const key of Object.values(stub.keys)) expect(again.stdout + again.stderr).not.toContain(key);
  await rm(folder, { recursive: true });
});

test.each([
  [[], /<report> is missing: tck replay <report> \[requirement\] \[options\]/],
  [['no-such-report'], /Cannot read the report/],
  [['no-such-report', 'credits', '--allow', 'everything'], /Cannot read the report|--allow/],
])('tck replay %j is wrong usage', async (args, message) => {
  const { code, stderr } = await tck(['replay', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

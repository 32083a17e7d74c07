import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { tck } from '../test/tck.ts';

const [good, bad] = [createStub(), createStub({ defects: ['beta-header-says-true'] })];
let folder = '';
let regions: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-regions-'));
  const [eu, us] = await Promise.all([good, bad].map((stub) => stub.listen({ port: 0 })));
  regions = { eu: eu?.baseUrl ?? '', us: us?.baseUrl ?? '' };
});
afterAll(async () => {
  await Promise.all([good.close(), bad.close()]);
  await rm(folder, { recursive: true });
});

async function run(given: unknown, ...args: string[]) {
  const config = { regions: given, keys: { primary: { env: 'TCK_KEY_PRIMARY' } } };
  await writeFile(join(folder, 'tck.config.json'), JSON.stringify(config));
  const env = { TCK_KEY_PRIMARY: good.keys.primary };
  return tck(['run', '--config', 'tck.config.json', '--only', 'headers,credits', ...args], { cwd: folder, env });
}

async function json(...path: string[]) {
  return JSON.parse(await readFile(join(folder, ...path), 'utf8'));
}

test('each region has a report, and a merged report and a matrix show all', async () => {
  const { code, stdout, stderr } = await run(regions, '--out', 'all', '--metrics', 'all.prom');
  expect(stderr).toBe('');
  expect(code).toBe(1);
  expect(stdout).toContain(`Region eu: ${regions.eu}\n`);
  const verdicts = [...stdout.matchAll(/^Verdict: (\S+)/gm)].map(([, verdict]) => verdict);
  expect(verdicts).toEqual(['partial', 'non-conformant', 'non-conformant']);
  expect((await json('all', 'eu', 'report.json')).gate.passed).toBe(true);
  expect(await json('all', 'us', 'report.json')).toMatchObject({ target: { label: 'us' }, gate: { passed: false } });
  const merged = await json('all', 'report.json');
  expect(merged.target.baseUrl).toBe(`${regions.eu}, ${regions.us}`);
  const actual = merged.requirements.flatMap(({ findings }: { findings: { actual: string }[] }) => findings);
  expect(actual.length).toBeGreaterThan(0);
  for (const finding of actual) expect(finding.actual).toContain(`${regions.us}: `);
  expect((await json('all', 'matrix.json')).columns).toMatchObject([{ label: 'eu' }, { label: 'us' }]);
  expect(await readdir(join(folder, 'all'))).toContain('matrix.html');
  expect(await readFile(join(folder, 'all.prom'), 'utf8')).toContain('tck_run_gate');
});

test('a URL tests one region', async () => {
  const { code, stdout } = await run(regions, regions.eu ?? '', '--out', 'one');
  expect(code, stdout).toBe(0);
  expect(await readdir(join(folder, 'one'))).not.toContain('eu');
});

test.each<[unknown, string[], string]>([
  [undefined, [], 'no target'],
  [{}, [], 'regions: expected at least one region'],
  [
    { 'EU 1': 'https://eu.example.test' },
    [],
    'regions.EU 1: expected an object from names in lower-case letters, digits and hyphens to base URLs',
  ],
  [{ eu: 'eu.example.test' }, [], 'url: '],
  [{ eu: 'https://eu.example.test' }, ['--har', 'x.har'], '--har: expected without "regions" in the configuration'],
  [{ eu: 'https://eu.example.test' }, ['--shard', '1/2'], '--shard: expected without "regions" in the configuration'],
  [{ eu: 'https://eu.example.test' }, ['--last-failed'], '--last-failed: expected without "regions"'],
])('%j with %j is wrong usage', async (given, args, message) => {
  const { code, stderr } = await run(given, '--out', 'none', ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { tck } from '../test/tck.ts';

const folder = await mkdtemp(join(tmpdir(), 'tck-trace-'));
const stub = createStub({ defects: ['days-empty'] });
const { baseUrl } = await stub.listen({ port: 0 });

afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

const env = { TCK_KEY_PRIMARY: stub.keys.primary };
const run = (...args: string[]) => tck(['run', baseUrl, '--only', 'schedule', '--out', folder, ...args], { env });
const read = (name: string) => readFile(join(folder, name), 'utf8');

async function traces() {
  const { exchanges }: RunResult = JSON.parse(await read('report.json'));
  return exchanges.map(({ trace }) => trace);
}

test('--trace-url makes a link of each trace ID, and --no-trace leaves out IDs', async () => {
  expect(await run('--trace-url', 'https://traces.example.test/find?id={traceId}&last')).toMatchObject({ code: 1 });
  const [first] = await traces();
  expect(first?.url).toBe(`https://traces.example.test/find?id=${first?.traceId}&last`);
  const page = await read('report.html');
  expect(page).toContain(`<a href="https://traces.example.test/find?id=${first?.traceId}&amp;last">`);
  expect(page).toContain(`<code>${first?.spanId}</code>`);
  expect(await run('--no-trace')).toMatchObject({ code: 1 });
  expect(new Set(await traces())).toEqual(new Set([undefined]));
  expect(await read('report.html')).not.toContain('class="trace"');
});

test('the configuration sets both, and the command line goes first', async () => {
  const config = join(folder, 'tck.config.json');
  const configured = async (trace: unknown, ...args: string[]) => {
    await writeFile(config, JSON.stringify({ keys: { primary: { env: 'TCK_KEY_PRIMARY' } }, trace }));
    const { code, stderr } = await run('--config', config, ...args);
    return code === 2 ? stderr : (await traces())[0];
  };
  const url = 'https://traces.example.test/{traceId}';
  expect(await configured({ url })).toMatchObject({ url: expect.stringMatching(/test\/[0-9a-f]{32}$/) });
  expect(await configured({ url }, '--no-trace')).toBeUndefined();
  expect(await configured(false)).toBeUndefined();
  expect(await configured(false, '--trace-url', url)).toMatchObject({ url: expect.any(String) });
  expect(await configured({ url: 'ftp://{traceId}' })).toContain(
    'trace.url: expected an http or https URL that contains {traceId}, got "ftp://{traceId}"',
  );
  expect(await configured({ link: url })).toContain('trace.link: unknown field (known: url)');
  expect(await configured('no')).toContain('trace: expected true, false or an object such as');
});

test.each([
  [['--trace-url', 'https://traces.example.test/'], 'that contains {traceId}, got'],
  [['--trace-url', 'javascript:alert("{traceId}")'], 'an http or https URL'],
  [['--trace-url', 'https://{traceId}', '--no-trace'], 'expected without --no-trace'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`tck: --trace-url: expected`)]);
  expect(stderr).toContain(message);
});

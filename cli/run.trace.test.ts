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

/** Runs with a value of `trace` in the configuration. */
async function configured(trace: unknown) {
  const config = join(folder, 'tck.config.json');
  await writeFile(config, JSON.stringify({ keys: { primary: { env: 'TCK_KEY_PRIMARY' } }, trace }));
  return run('--config', config);
}

test('trace.url makes a link of each trace ID, and false leaves out IDs', async () => {
  const url = 'https://traces.example.test/find?id={traceId}&last';
  expect(await configured({ url })).toMatchObject({ code: 1 });
  const [first] = await traces();
  expect(first?.url).toBe(`https://traces.example.test/find?id=${first?.traceId}&last`);
  const page = await read('report.html');
  expect(page).toContain(`<a href="https://traces.example.test/find?id=${first?.traceId}&amp;last">`);
  expect(page).toContain(`<code>${first?.spanId}</code>`);
  expect(await configured(false)).toMatchObject({ code: 1 });
  expect(new Set(await traces())).toEqual(new Set([undefined]));
  expect(await read('report.html')).not.toContain('class="trace"');
});

test.each([
  [
    { url: 'ftp://{traceId}' },
    'trace.url: expected an http or https URL that contains {traceId}, got "ftp://{traceId}"',
  ],
  [{ url: 'https://traces.example.test/' }, 'that contains {traceId}, got'],
  [{ url: 'javascript:alert("{traceId}")' }, 'an http or https URL'],
  [{ link: 'https://{traceId}' }, 'trace.link: unknown field (known: url)'],
  ['no', 'trace: expected true, false or an object such as'],
])('trace %j is refused', async (trace, message) => {
  expect(await configured(trace)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { filesIn } from '../test/files-in.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const key = 'a-key-that-nobody-may-see';

/** A typical HAR entry. */
function entry(tool: string, args: unknown, body: unknown, more: { at?: number; url?: string } = {}) {
  const { at = 0, url = 'https://api.example.test' } = more;
  const text = JSON.stringify(body);
  return {
    startedDateTime: new Date(Date.UTC(2027, 0, 4, 10, 0, at)).toISOString(),
    time: 20,
    request: {
      method: 'POST',
      url: `${url}/api/v1/tools/${tool}`,
      headers: [
        { name: 'Authorization', value: `Bearer ${key}` },
        { name: 'Content-Type', value: 'application/json' },
      ],
      postData: { mimeType: 'application/json', text: JSON.stringify(args) },
    },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Service-Api', value: 'beta' },
      ],
      content: { size: text.length, mimeType: 'application/json', text },
    },
  };
}

async function audited(entries: readonly unknown[], ...options: string[]) {
  const out = await mkdtemp(join(folder, 'report-'));
  const file = join(out, 'traffic.har');
  await writeFile(
    file,
    JSON.stringify({ log: { version: '1.2', creator: { name: 'a test', version: '1' }, entries } }),
  );
  const ended = await tck(['audit', file, '--out', out, ...options]);
  const result = async (): Promise<RunResult> => JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  return { ...ended, out, result };
}

const balance = (value: unknown) => entry('credits.balance', {}, { ok: true, balance: value });

describe('tck audit', () => {
  test('conforming traffic passes the gate, and what it does not show is not tested', async () => {
    const { code, stdout, result } = await audited([balance(12)]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No violations found')]);
    const { requirements, exchanges } = await result();
    expect(requirements.find(({ id }) => id === 'credits.balance')).toMatchObject({ status: 'passed' });
    expect(requirements.find(({ id }) => id === 'schedule.answers')).toMatchObject({
      status: 'not-tested',
      reason: 'no request of this kind was recorded',
    });
    // The witness of what passed.
    expect(exchanges).toMatchObject([{ credential: 'key 1 (traffic.har, entry 1)' }]);
  });

  test('the report on an old recording can be compared', async () => {
    const { out } = await audited([{ ...balance(12), startedDateTime: '2020-01-06T10:00:00Z' }]);
    expect(await tck(['compare', out, out])).toMatchObject({ code: 0, stderr: '' });
  });

  test('a finding names file and entry, and fails the gate', async () => {
    const { code, stdout, result } = await audited([balance(12), balance('12')]);
    expect(code).toBe(1);
    expect(stdout).toContain('traffic.har, entry 2');
    const { exchanges, requirements } = await result();
    const shown = requirements.flatMap(({ findings }) => findings.flatMap((finding) => finding.exchanges));
    const labels = exchanges.filter(({ id }) => shown.includes(id)).map(({ credential }) => credential);
    expect(labels).toEqual(['key 1 (traffic.har, entry 2)']);
  });

  test('origins are compared as URLs', async () => {
    const at = (url: string, balance: unknown) => entry('credits.balance', {}, { ok: true, balance }, { url });
    const wrong = at('https://API.Example.Test/%65dge/%c3%a9', 'five');
    const { code, stdout } = await audited([
      at('https://api.example.test/edge/%C3%A9', 5),
      at('https://api.example.test:443/edge/é', 5),
      wrong,
    ]);
    expect({ code, left: stdout.includes('not judged') }).toEqual({ code: 1, left: false });
  });

  test.each([
    [true, 1],
    [false, 2],
  ])('a request that a service worker repeats is one request: %s', async (viaWorker, requests) => {
    const made = entry('credits.balance', {}, { ok: true, balance: 5 });
    const { out } = await audited([made, { ...made, ...(viaWorker ? { _fetchedViaServiceWorker: true } : {}) }]);
    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
    expect(report.summary.requests).toBe(requests);
  });

  test.each([
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0])],
    ['zip', Buffer.from('PK\u0003\u0004rest')],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['UTF-16', Buffer.from('\0{\0}')],
    ['zstd file', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0])],
  ])('a recording in the form %s is named', async (form, bytes) => {
    const file = join(folder, `recording-${form}.har`);
    await writeFile(file, bytes);
    const { code, stderr } = await tck(['audit', file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(form) });
  });

  test('no key is in what is printed or written', async () => {
    const { out, stdout } = await audited([entry('credits.balance', {}, { ok: true, balance: `it is ${key}` })]);
    const files = await filesIn(out);
    const texts = await Promise.all(
      files.filter((name) => !name.endsWith('.har')).map((name) => readFile(join(out, name), 'utf8')),
    );
    expect([stdout, ...texts].filter((text) => text.includes(key))).toEqual([]);
    expect(texts.join()).toContain('it is <key 1>');
  });

  test('what customers wrote can be left out', async () => {
    const written = {
      ok: true,
      query: 'our quokka plans',
      hits: [{ source: 'numbat notes', excerpt: 'we merge with the wombats', relevance: 'high' }],
    };
    const entries = [entry('knowledge.search', { query: 'our quokka plan' }, written)];
    const shown = await audited(entries);
    expect(shown.stdout).toContain('our quokka plan');
    const { code, out, stdout } = await audited(entries, '--no-bodies');
    const files = (await filesIn(out)).filter((name) => !name.endsWith('.har'));
    const all = [stdout, ...(await Promise.all(files.map((name) => readFile(join(out, name), 'utf8'))))].join();
    expect([code, ['quokka', 'numbat', 'wombat'].filter((word) => all.includes(word))]).toEqual([1, []]);
    expect(all).toContain('(16 characters)');
  });

  test('requests to other hosts are told, and not judged', async () => {
    const elsewhere = entry('credits.balance', {}, { ok: true }, { url: 'https://other.example.test' });
    const { code, result } = await audited([balance(12), elsewhere, { request: {} }, 7]);
    expect(code).toBe(0);
    expect((await result()).notices).toEqual([
      expect.stringContaining('1 requests to https://other.example.test'),
      'traffic.har: 2 of 4 entries: malformed and not judged',
    ]);
    const named = await audited([balance(12), elsewhere], '--url', 'https://other.example.test');
    expect(named.code).toBe(1);
  });

  test.each([
    [['--assume', 'complet'], /--assume: expected complete, clock, one-key, got 'complet'.*complete/],
    [
      ['--url', 'https://nowhere.example.test'],
      /traffic\.har: expected a request to https:\/\/nowhere.example.test\/api/,
    ],
    [['--url', 'nowhere'], /--url: expected an http or https URL/],
  ])('%j is explained', async (options, message) => {
    const { code, stderr } = await audited([balance(12)], ...options);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each([
    ['{"log":{"entries":[{]', /expected JSON/],
    ['{"log":{"entries":[', /the end of the file in the middle/],
    ['{"a":1}', /expected a HAR file/],
    ['', /the end of the file in the middle/],
  ])('the file %j is explained', async (text, message) => {
    const file = join(folder, 'bad.har');
    await writeFile(file, text);
    const { code, stderr } = await tck(['audit', file, '--out', join(folder, 'none')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).toMatch(/^tck: bad\.har: .*\n$/);
  });
});

test("the kit's own HAR holds a run without its keys, and is judged as the run was", async () => {
  await using stub = createStub({ defects: ['days-empty'] });
  const { baseUrl } = await stub.listen();
  const [har, out] = [join(folder, 'run.har'), join(folder, 'run')];
  const env = { TCK_KEY_PRIMARY: stub.keys.primary, TCK_KEY_SOLE: stub.keys.sole };
  const run = await tck(['run', baseUrl, '--har', har, '--no-observe', '--out', out], { env });
  expect(run.code).toBe(1);
  const text = await readFile(har, 'utf8');
  expect(Object.values(stub.keys).filter((each) => text.includes(each))).toEqual([]);
  const failed = ({ requirements }: RunResult) =>
    requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const before: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const { code } = await tck(['audit', har, '--assume', 'complete,clock', '--out', out]);
  const after: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  expect([code, failed(after), after.summary.requests]).toEqual([1, failed(before), before.summary.requests]);
  expect(after.summary.notTested - before.summary.notTested).toBeLessThan(20);
});

import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { entryWith } from '../test/attacks/recorded-secrets.ts';
import { idsWith, reportIn, textsIn } from '../test/output.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

/** A typical HAR entry. */
function entry(tool: string, args: unknown, body: unknown, url = 'https://api.example.test') {
  const headers = [['Authorization', 'Bearer $'] as const];
  const carrier = { headers, body: JSON.stringify(args), status: 200, response: JSON.stringify(body) };
  const made = entryWith(carrier, 'a-key-that-nobody-may-see');
  return { ...made, request: { ...made.request, url: `${url}/api/v1/tools/${tool}` } };
}

const balance = (value: unknown, url?: string) => entry('credits.balance', {}, { ok: true, balance: value }, url);

async function audited(entries: readonly unknown[], ...options: string[]) {
  const out = await mkdtemp(join(folder, 'report-'));
  const file = join(folder, 'traffic.har');
  const log = { version: '1.2', creator: { name: 'a test', version: '1' }, entries };
  await writeFile(file, JSON.stringify({ log }));
  return { ...(await tck(['audit', file, '--out', out, ...options])), out };
}

describe('tck audit', () => {
  test('conforming traffic passes the gate, and what it does not show is not tested', async () => {
    const { code, stdout, out } = await audited([{ ...balance(12), startedDateTime: '2020-01-06T10:00:00Z' }]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No violations found')]);
    const { requirements, exchanges } = await reportIn(out);
    expect(requirements.find(({ id }) => id === 'credits.balance')).toMatchObject({ status: 'passed' });
    expect(requirements.find(({ id }) => id === 'schedule.answers')).toMatchObject({
      status: 'not-tested',
      reason: 'no request of this kind was recorded',
    });
    // The witness of what passed.
    expect(exchanges).toMatchObject([{ credential: 'key 1 (traffic.har, entry 1)' }]);
    expect(await tck(['compare', out, out])).toMatchObject({ code: 0, stderr: '' });
  });

  test('a finding names file and entry, and fails the gate', async () => {
    const { code, stdout, out } = await audited([balance(12), balance('12')]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('traffic.har, entry 2')]);
    const { exchanges, requirements } = await reportIn(out);
    const shown = requirements.flatMap(({ findings }) => findings.flatMap((finding) => finding.exchanges));
    const labels = exchanges.filter(({ id }) => shown.includes(id)).map(({ credential }) => credential);
    expect(labels).toEqual(['key 1 (traffic.har, entry 2)']);
  });

  test.each(['gate', 'race', 'must', 'dispatches', 'seed'])(
    'the password %s, a word of reports, changes no word',
    async (word) => {
      const first = balance('12');
      const { headers } = first.request;
      const request = { ...first.request, headers: [...headers, { name: 'Cookie', value: `password=${word}` }] };
      const { code, stdout, out } = await audited([{ ...first, request }]);
      expect([code, stdout]).toEqual([1, expect.stringContaining('traffic.har, entry 1')]);
      const { requirements } = await reportIn(out);
      expect(requirements.map(({ id }) => id)).toContain('race.one-dispatches');
    },
  );

  test('origins are compared as URLs', async () => {
    const { code, stdout } = await audited([
      balance(5, 'https://api.example.test/edge/%C3%A9'),
      balance(5, 'https://api.example.test:443/edge/é'),
      balance('five', 'https://API.Example.Test/%65dge/%c3%a9'),
    ]);
    expect({ code, left: stdout.includes('not judged') }).toEqual({ code: 1, left: false });
  });

  test('the base URL is that of the first request with a response', async () => {
    const failed = (url: string, status: number) => ({ ...balance(5, url), response: { status, headers: [] } });
    const redirected = failed('http://api.example.test', 308);
    const { code, stdout } = await audited([failed('https://localhost:3000', 0), redirected, balance('five')]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('\nhttps://api.example.test\n')]);
  });

  test('a request whose headers are not recorded may have had a key', async () => {
    const bare = balance(5);
    const { code } = await audited([balance(5), { ...bare, request: { ...bare.request, headers: [] } }]);
    expect(code).toBe(0);
  });

  test('a request that a service worker repeats is one request', async () => {
    const requests = async (more: object) =>
      (await reportIn((await audited([balance(5), { ...balance(5), ...more }])).out)).summary.requests;
    expect([await requests({ _fetchedViaServiceWorker: true }), await requests({})]).toEqual([1, 2]);
  });

  test.each<[Buffer | string, string | RegExp]>([
    [Buffer.from([0x1f, 0x8b, 8, 0]), 'gzip'],
    ['PK\u0003\u0004rest', 'zip'],
    [Buffer.from('\ufeff{}', 'utf16le'), 'UTF-16'],
    [Buffer.from('{}', 'utf16le'), 'UTF-16'],
    ['\0{\0}', 'UTF-16'],
    [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0]), 'zstd file'],
    ['{"log":{"entries":[{]', 'expected JSON'],
    ['{"log":{"entries":[', 'the end of the file in the middle'],
    ['{"a":1}', 'expected a HAR file'],
    ['', 'the end of the file in the middle'],
  ])('the file %j is explained', async (content, message) => {
    const file = join(folder, 'bad.har');
    await writeFile(file, content);
    const { code, stderr } = await tck(['audit', file, '--out', join(folder, 'none')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^tck: bad\\.har: .*${message}.*\n$`, 's'))]);
  });

  test('what customers wrote can be left out', async () => {
    const hits = [{ source: 'numbat notes', excerpt: 'we merge with the wombats', relevance: 'high' }];
    const written = { ok: true, query: 'our quokka plans', hits };
    const entries = [entry('knowledge.search', { query: 'our quokka plan' }, written)];
    expect((await audited(entries)).stdout).toContain('our quokka plan');
    const { code, out, stdout } = await audited(entries, '--no-bodies');
    const all = [stdout, ...Object.values(await textsIn(out))].join();
    expect([code, all.match(/quokka|numbat|wombat/)]).toEqual([1, null]);
    expect(all).toContain('(16 characters)');
    // A script would send the lengths of texts in place of the texts.
    expect(Object.keys(await textsIn(out)).filter((name) => name.endsWith('.sh'))).toEqual([]);
  });

  test('requests to other hosts are told, and not judged', async () => {
    const elsewhere = entry('credits.balance', {}, { ok: true }, 'https://other.example.test');
    const { code, out } = await audited([balance(12), elsewhere, { request: {} }, 7]);
    expect(code).toBe(0);
    expect((await reportIn(out)).notices).toEqual([
      expect.stringContaining('1 requests to https://other.example.test'),
      'traffic.har: 2 of 4 entries: malformed and not judged',
    ]);
    expect((await audited([balance(12), elsewhere], '--url', 'https://other.example.test')).code).toBe(1);
  });

  const nowhere = 'https://nowhere.example.test';
  test.each([
    ['--assume', 'complet', /--assume: expected complete, clock, one-key, got 'complet'.*complete/],
    ['--url', nowhere, /traffic\.har: expected a request to https:\/\/nowhere.example.test\/api/],
    ['--url', 'nowhere', /--url: expected an http or https URL/],
  ])('%s %s is explained', async (option, value, message) => {
    const stderr = expect.stringMatching(message);
    expect(await audited([balance(12)], option, value)).toMatchObject({ code: 2, stderr });
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
  const before = await reportIn(out);
  const { code } = await tck(['audit', har, '--assume', 'complete,clock', '--out', out]);
  const after = await reportIn(out);
  expect([code, after.summary.requests]).toEqual([1, before.summary.requests]);
  expect(idsWith(after, 'failed')).toEqual(idsWith(before, 'failed'));
  expect(after.summary.notTested - before.summary.notTested).toBeLessThan(20);
});

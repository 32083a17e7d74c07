import { createHash } from 'node:crypto';
import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { leaksOf } from '../leaks.ts';
import { httpServer } from '../network.ts';
import { textsIn } from '../output.ts';
import { startTck, tck } from '../tck.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { carriers, echo, entryWith } from './recorded-secrets.ts';

const folder = temporaryFolder();
const secret = 'qz7Rk29vXw81LpTn40';

/** More keys than the kit remembers, without common parts. */
const many = Array.from({ length: 300 }, (_, at) => createHash('sha256').update(`${at}`).digest('base64url'));

async function audited(entries: readonly object[], ...options: string[]) {
  const out = await mkdtemp(join(folder, 'audit-'));
  const file = join(folder, 'input.har');
  await writeFile(file, JSON.stringify({ log: { version: '1.2', creator: { name: 'a', version: '1' }, entries } }));
  const { code, stdout, stderr } = await tck(['audit', file, '--out', out, ...options]);
  const files = await textsIn(out);
  const result: RunResult = JSON.parse(files['report.json'] ?? '{}');
  return { out, code, result, texts: { ...files, stdout, stderr } };
}

describe('tck audit writes no secret that stands in', () => {
  test.each(Object.entries(carriers))('%s', async (_, carrier) => {
    const { code, texts, result } = await audited([entryWith(carrier, secret)], '--client');
    expect(leaksOf(secret)(texts)).toEqual([]);
    // The report contains the exchange, so the absence of the secret is meaningful.
    expect(code).toBe(1);
    expect(result.exchanges.length).toBeGreaterThan(0);
  });

  test('a body before the request that shows it to be a key', async () => {
    const early = entryWith({ body: `{"title":"${secret}"}`, response: echo(`title ${secret}`) }, secret);
    const late = entryWith({ headers: [['Authorization', `Bearer ${secret}`]] }, secret, 9);
    const { texts, result } = await audited([early, late]);
    expect(leaksOf(secret)(texts)).toEqual([]);
    expect(result.exchanges.length).toBeGreaterThan(0);
  });

  test('one of more requests than there are keys to remember', { timeout: 300_000 }, async () => {
    const entries = many.map((each, at) =>
      entryWith({ headers: [['Authorization', `Bearer ${each}`]], query: `?a=${each}` }, each, at),
    );
    const { code, texts, result } = await audited(entries);
    const all = Object.values(texts).join('\n');
    expect(many.filter((each) => all.includes(each))).toEqual([]);
    expect([code, result.notices.join()]).toEqual([
      1,
      expect.stringContaining('more different secrets than the kit can replace'),
    ]);
    const [shown] = result.requirements.flatMap(({ findings }) => findings[0]?.exchanges ?? []);
    expect(result.exchanges.find(({ id }) => id === shown)).toMatchObject({
      tool: 'credits.balance',
      credential: expect.stringMatching(/input\.har, entry \d+/),
      response: { status: 503 },
    });
    expect(Object.keys(texts).filter((name) => name.endsWith('.sh'))).toEqual([]);
  });

  test('a harmless header and a known member stay', async () => {
    const { result } = await audited([entryWith({ responseHeaders: [['Retry-After', '7']] }, secret)]);
    expect(result.exchanges[0]?.response?.headers).toContainEqual(['retry-after', '7']);
    expect(result.exchanges[0]?.response?.body).toContain('"balance":"you sent ');
  });

  test('no unlisted header and no query value', async () => {
    const entries = [entryWith({ headers: [['X-Tenant', 'acme']], query: '?page=2' }, secret)];
    const [exchange] = (await audited(entries)).result.exchanges;
    const header = exchange?.request.headers.find(([name]) => name === 'x-tenant')?.[1];
    expect([header, exchange?.request.url.split('?')[1]]).toEqual([
      expect.stringMatching(/^<hidden \d+>$/),
      expect.stringMatching(/^page=<hidden \d+>$/),
    ]);
  });
});

test('files of recorded traffic are readable by their owner only', async () => {
  const { out } = await audited([entryWith({}, secret)]);
  const names = Object.keys(await textsIn(out));
  const modes = await Promise.all(names.map(async (name) => (await stat(join(out, name))).mode & 0o777));
  // Scripts can be run by their owner.
  expect([...new Set(modes)].filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
});

describe('tck proxy writes no secret that stands in', () => {
  async function proxied(send: (address: string) => Promise<void>) {
    await using server = await httpServer(async (request, response) => {
      const sent = [request.url, JSON.stringify(request.rawHeaders), await text(request)].join(' ');
      response.writeHead(503, { 'content-type': 'application/json', 'x-service-api': 'beta' }).end(echo(sent));
    });
    const out = await mkdtemp(join(folder, 'proxy-'));
    const har = join(out, 'passed.har');
    await writeFile(har, 'an earlier file', { mode: 0o644 });
    const running = startTck(['proxy', `http://127.0.0.1:${server.port}`, '--port', '0', '--out', out, '--har', har]);
    const [address = ''] = /http:\S+/.exec(await running.printed('Ctrl-C')) ?? [];
    await send(address);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    const files = await textsIn(out);
    return { out, code, har: files['passed.har'] ?? '', texts: { ...files, stdout, stderr } };
  }

  const post = async (address: string, query: string, headers: Record<string, string>, body: string) => {
    await (await fetch(`${address}/api/v1/tools/credits.balance${query}`, { method: 'POST', headers, body })).text();
  };

  test('a header, a parameter, a form, and a body before its first use', async () => {
    const keys = ['a', 'b', 'c', 'd'].map((each) => each + secret);
    const [one = '', two = '', three = '', four = ''] = keys;
    const { code, har, out, texts } = await proxied(async (address) => {
      await post(address, '', {}, JSON.stringify({ title: four }));
      await post(address, `?access_token=${two}`, { 'x-api-key': one }, '{}');
      await post(address, '', { 'content-type': 'application/x-www-form-urlencoded' }, `user=a&password=${three}`);
      await post(address, '', { authorization: `Token ${four}` }, '{}');
    });
    for (const key of keys) expect(leaksOf(key)(texts)).toEqual([]);
    expect([code, JSON.parse(har).log.entries.length]).toEqual([1, 4]);
    expect(Object.keys(texts).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await stat(join(out, 'passed.har'))).mode & 0o777).toBe(0o600);
  });

  test('one of more requests than there are keys to remember', { timeout: 300_000 }, async () => {
    const { har, texts } = await proxied(async (address) => {
      for (const each of many) await post(address, '', { authorization: `Bearer ${each}` }, '{}');
    });
    const all = Object.values(texts).join('\n');
    expect(many.filter((each) => all.includes(each))).toEqual([]);
    expect([har, all]).toEqual(['an earlier file', expect.stringContaining('--har: no file is written')]);
  });
});

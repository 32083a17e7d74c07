import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { startTck, tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const client = `
const { TCK_BASE_URL: base, KEY: key } = process.env;
for (const tool of ['schedule.read', 'credits.balance']) {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const response = await fetch(base + '/api/v1/tools/' + tool, { method: 'POST', headers, body: '{}' });
  await response.text();
}
process.exit(Number(process.env.CODE ?? 0));
`;

const reportIn = async (out: string): Promise<RunResult> =>
  JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));

describe('tck proxy', () => {
  let program = '';
  beforeAll(async () => {
    program = join(folder, 'client.mjs');
    await writeFile(program, client);
  });

  test.each([
    [[], '0', 0],
    [[], '5', 5],
    [['days-empty'] as const, '0', 1],
  ])('in front of a server with the defects %j a command that ends with %s gives %i', async (defects, CODE, code) => {
    await using stub = createStub({ defects: [...defects] });
    const { baseUrl } = await stub.listen();
    const [out, har] = [await mkdtemp(join(folder, 'report-')), join(folder, 'passed.har')];
    const args = ['proxy', baseUrl, '--out', out, '--har', har, '--', process.execPath, program];
    const ended = await tck(args, { env: { KEY: stub.keys.sole, CODE } });
    expect(ended.code).toBe(code);
    expect(ended.stderr.includes('✗ schedule.days (request 1 through the proxy)')).toBe(defects.length > 0);
    const { requirements, summary, target } = await reportIn(out);
    expect([summary.requests, target.kind, target.baseUrl]).toEqual([2, 'proxy', baseUrl]);
    expect(requirements.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(
      defects.length > 0 ? ['schedule.days'] : [],
    );
    const recorded = await readFile(har, 'utf8');
    expect([JSON.parse(recorded).log.entries.length, recorded.includes(stub.keys.sole)]).toEqual([2, false]);
    const again = await tck(['audit', har, '--out', out]);
    expect(again.code).toBe(defects.length > 0 ? 1 : 0);
  });

  test('without a command it runs until SIGINT, and writes the report then', async () => {
    await using stub = createStub();
    const { baseUrl } = await stub.listen();
    const out = await mkdtemp(join(folder, 'report-'));
    const { child, ended, printed } = startTck(['proxy', baseUrl, '--port', '0', '--out', out]);
    const [address = ''] = /http:\S+/.exec(await printed('Ctrl-C')) ?? [];
    const headers = { authorization: `Bearer ${stub.keys.sole}` };
    const response = await fetch(`${address}/api/v1/tools/credits.balance`, { method: 'POST', headers });
    expect(await response.json()).toMatchObject({ ok: true });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    expect((await reportIn(out)).summary.requests).toBe(1);
  });

  test.each([
    ['SIGTERM', []],
    ['--for', ['--for', '1']],
  ] as const)('%s ends it, and the report is written', async (how, args) => {
    await using stub = createStub({ defects: ['days-empty'] });
    const { baseUrl } = await stub.listen();
    const out = await mkdtemp(join(folder, 'report-'));
    const { child, ended, printed } = startTck(['proxy', baseUrl, '--port', '0', '--out', out, ...args]);
    const [address = ''] = /http:\S+/.exec(await printed('Ctrl-C')) ?? [];
    const headers = { authorization: `Bearer ${stub.keys.sole}` };
    await (await fetch(`${address}/api/v1/tools/schedule.read`, { method: 'POST', headers })).text();
    if (how === 'SIGTERM') child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    expect((await reportIn(out)).summary).toMatchObject({ requests: 1, failed: 1 });
  });

  test('SIGTERM ends the command too, and the report is written', async () => {
    await using stub = createStub();
    const { baseUrl } = await stub.listen();
    const out = await mkdtemp(join(folder, 'report-'));
    const waiting = `${client.replace(/process\.exit.*/, '')} console.log('sent'); setInterval(() => {}, 1000);`;
    const program = join(folder, 'waiting.mjs');
    await writeFile(program, waiting);
    const env = { KEY: stub.keys.sole };
    const args = ['proxy', baseUrl, '--out', out, '--', process.execPath, program];
    const { child, ended, printed } = startTck(args, { env });
    await printed('sent');
    child.kill('SIGTERM');
    // The gate passes, so the exit code is the exit code of the command, which a signal ended.
    expect((await ended).code).toBe(128 + 15);
    expect((await reportIn(out)).summary.requests).toBe(2);
  });

  test.each([
    [['https://a.example.test', '--host', '0.0.0.0'], /--host: other machines reach 0\.0\.0\.0; add --allow-remote/],
    [
      ['http://a.example.test'],
      /url: expected https, got 'http:.*; the kit sends keys over plain HTTP only to this machine/,
    ],
    [['https://u:p@a.example.test'], /url: expected a URL without a user name/],
    [['https://a.example.test', '--require', 'none.such'], /--require: 'none\.such' selects no requirement/],
    [[], /url/],
  ])('%j is explained', async (args, message) => {
    const { code, stderr } = await tck(['proxy', ...args, '--out', join(folder, 'none')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('with --client', () => {
  const careless = [
    'client-confirmations.same-request',
    'client-keys.only-in-authorization',
    'client-requests.valid-arguments',
  ];
  const main = fileURLToPath(new URL('main.ts', import.meta.url));

  test.each([
    ['good', []],
    ['careless', careless],
  ])('the client that is %s, without a configuration', async (name, broken) => {
    const out = await mkdtemp(join(folder, 'client-'));
    const client = fileURLToPath(new URL(`../test/clients/${name}.mjs`, import.meta.url));
    const proxied = `"${process.execPath}" "${main}" proxy "$TCK_BASE_URL" --client --assume complete,clock`;
    const line = `${proxied} --out "${out}" -- "${process.execPath}" "${client}"`;
    await tck(['stub', '--control', '--', 'sh', '-c', line], { cwd: folder });
    const { requirements } = await reportIn(out);
    const failed = requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
    const passed = requirements.filter(({ id, status }) => id.startsWith('client-') && status === 'passed');
    expect(passed.length).toBeGreaterThan(5);
    expect(failed.sort()).toEqual(broken);
  });
});

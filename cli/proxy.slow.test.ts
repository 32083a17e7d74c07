import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CreateStubOptions, createStub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { idsWith, reportIn } from '../test/output.ts';
import { startTck, tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const program = join(folder, 'client.mjs');
const main = `"${process.execPath}" "${fileURLToPath(new URL('main.ts', import.meta.url))}"`;
const client = `
const { TCK_BASE_URL: base, TCK_KEY_SOLE: key } = process.env;
for (const tool of ['schedule.read', 'credits.balance']) {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const response = await fetch(base + '/api/v1/tools/' + tool, { method: 'POST', headers, body: '{}' });
  console.log(new URL(base).protocol, (await response.json()).ok);
}
if (process.env.CODE === 'none') setInterval(() => {}, 1000);
else process.exit(Number(process.env.CODE ?? 0));
`;

beforeAll(() => writeFile(program, client));

/** Runs a shell command next to a stub, in the folder with its configuration. */
const besideStub = (line: string, ...options: string[]) =>
  tck(['stub', ...options, '--', 'sh', '-c', line], { cwd: folder });

describe('tck proxy', () => {
  test.each([
    [[], '0', 0],
    [[], '5', 5],
    [['days-empty'] as const, '0', 1],
  ])('in front of a server with the defects %j a command that ends with %s gives %i', async (defects, CODE, code) => {
    await using stub = createStub({ defects: [...defects] });
    const { baseUrl } = await stub.listen();
    const [out, har] = [await mkdtemp(join(folder, 'report-')), join(folder, 'passed.har')];
    const args = ['proxy', baseUrl, '--out', out, '--har', har, '--', process.execPath, program];
    const ended = await tck(args, { env: { TCK_KEY_SOLE: stub.keys.sole, CODE } });
    expect(ended.code).toBe(code);
    expect(ended.stderr.includes('✗ schedule.days (request 1 through the proxy)')).toBe(defects.length > 0);
    const report = await reportIn(out);
    const { summary, target } = report;
    expect([summary.requests, target.kind, target.baseUrl]).toEqual([2, 'proxy', baseUrl]);
    expect(idsWith(report, 'failed')).toEqual(defects.length > 0 ? ['schedule.days'] : []);
    const recorded = await readFile(har, 'utf8');
    expect([JSON.parse(recorded).log.entries.length, recorded.includes(stub.keys.sole)]).toEqual([2, false]);
    expect((await tck(['audit', har, '--out', out])).code).toBe(defects.length > 0 ? 1 : 0);
  });

  test.each<[string, CreateStubOptions, readonly string[], number]>([
    ['SIGINT', {}, [], 0],
    ['SIGTERM', { defects: ['days-empty'] }, [], 1],
    ['--for', { defects: ['days-empty'] }, ['--for', '1'], 1],
  ])('without a command it runs until %s, and writes the report then', async (end, options, args, code) => {
    await using stub = createStub(options);
    const { baseUrl } = await stub.listen();
    const out = await mkdtemp(join(folder, 'report-'));
    const { child, ended, printed } = startTck(['proxy', baseUrl, '--port', '0', '--out', out, ...args]);
    const [address = ''] = /http:\S+/.exec(await printed('Ctrl-C')) ?? [];
    const headers = { authorization: `Bearer ${stub.keys.sole}` };
    const response = await fetch(`${address}/api/v1/tools/schedule.read`, { method: 'POST', headers });
    expect(await response.json()).toMatchObject({ ok: true });
    if (end === 'SIGINT' || end === 'SIGTERM') child.kill(end);
    expect((await ended).code).toBe(code);
    expect((await reportIn(out)).summary).toMatchObject({ requests: 1, failed: code });
  });

  test('SIGTERM ends the command too, and the report is written', async () => {
    await using stub = createStub();
    const { baseUrl } = await stub.listen();
    const out = await mkdtemp(join(folder, 'report-'));
    const env = { TCK_KEY_SOLE: stub.keys.sole, CODE: 'none' };
    const args = ['proxy', baseUrl, '--out', out, '--', process.execPath, program];
    const { child, ended, printed } = startTck(args, { env });
    await printed('true', 2);
    child.kill('SIGTERM');
    // The gate passes, so the exit code is the exit code of the command, which a signal ended.
    expect((await ended).code).toBe(128 + 15);
    expect((await reportIn(out)).summary.requests).toBe(2);
  });

  const url = 'https://a.example.test';
  test.each([
    [[url, '--host', '0.0.0.0'], /--host: other machines reach 0\.0\.0\.0; add --allow-remote/],
    [['http://a.example.test'], /url: expected https, got 'http:.* sends keys over plain HTTP only to this machine/],
    [['https://u:p@a.example.test'], /url: expected a URL without a user name/],
    [[url, '--require', 'none.such'], /--require: 'none\.such' selects no requirement/],
    [[], /url/],
    [[url, '--tls-cert', 'cert.pem'], /--tls-cert and --tls-key go together/],
    [[url, '--tls-cert', 'none.pem', '--tls-key', 'none.pem'], /--tls-cert: cannot read none\.pem/],
    [
      [url, '--tls-cert', program, '--tls-key', program],
      /--tls-cert: expected a certificate and its key in PEM: no start line/,
    ],
  ])('%j is explained', async (args, message) => {
    const { code, stderr } = await tck(['proxy', ...args, '--out', 'none'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

test('TLS on both sides: the proxy trusts the deployment, the command the proxy, and both are judged', async () => {
  const line = `${main} proxy "$TCK_BASE_URL" --tls --out tls -- "${process.execPath}" client.mjs`;
  const { code, stdout, stderr } = await besideStub(line, '--tls', '--defect', 'days-empty');
  expect([code, stdout], stderr).toEqual([1, expect.stringContaining('https: true')]);
  expect(stderr).toContain('✗ schedule.days');
  const { target, summary } = await reportIn(join(folder, 'tls'));
  expect([target.baseUrl, summary.requests]).toEqual([expect.stringMatching(/^https:/), 2]);
});

const carelessness = ['confirmations.same-request', 'keys.only-in-authorization', 'requests.valid-arguments'];
test.each([
  ['good', []],
  ['careless', carelessness.map((id) => `client-${id}`)],
])('with --client, a client that is %s is judged without a configuration', async (name, broken) => {
  const path = fileURLToPath(new URL(`../test/clients/${name}.mjs`, import.meta.url));
  const proxied = `${main} proxy "$TCK_BASE_URL" --client --assume complete,clock --out ${name}`;
  await besideStub(`${proxied} -- "${process.execPath}" "${path}"`, '--control');
  const report = await reportIn(join(folder, name));
  expect(idsWith(report, 'passed').filter((id) => id.startsWith('client-')).length).toBeGreaterThan(5);
  expect(idsWith(report, 'failed').sort()).toEqual(broken);
});

const told = ({ verdict, requirements }: RunResult) => ({
  verdict,
  statuses: requirements.map(({ id, status }) => `${id} ${status}`),
});

test('a run through the proxy has the verdict that it has without, and the proxy finds nothing', async () => {
  const run = `${main} run "$TCK_BASE_URL" --config config.json --allow all --out`;
  const proxy = `${main} proxy "$TCK_BASE_URL" --config config.json --assume complete --out passed`;
  for (const line of [`${run} directly`, `${proxy} -- sh -c '${run} through'`]) {
    const ended = await besideStub(line, '--control', '--write-config', 'config.json');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  }
  const reports = await Promise.all(['directly', 'through', 'passed'].map((out) => reportIn(join(folder, out))));
  const [directly, through, passed] = reports as [RunResult, RunResult, RunResult];
  expect(told(through)).toEqual(told(directly));
  expect(passed.requirements.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(passed.summary.requests).toBeGreaterThan(500);
  expect(passed.summary.passed).toBeGreaterThan(100);
});

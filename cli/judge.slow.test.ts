import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { UsageError } from '../suites/usage/usage-error.ts';
import { judged } from '../test/judged.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { judge } from './judge.ts';

const folder = temporaryFolder();
const node = (script: string) => [process.execPath, '-e', script];

const ask = `const ask = async (tool) => (await fetch(process.env.TCK_BASE_URL + '/api/v1/tools/' + tool, {
  method: 'POST', headers: { authorization: 'Bearer ' + process.env.TCK_KEY_PRIMARY } })).json();`;

test.each([
  ['does nothing', '', 'the client sent no request in the plain scenario'],
  ['ends with an error', 'process.exit(3)', 'the client exited with 3 in the plain scenario'],
  ['does not end', 'setInterval(() => {}, 1000)', 'the client did not exit in time in the plain scenario'],
])('of a client that %s nothing can be told', async (_what, script, reason) => {
  const { code, result } = await judged(folder, node(script), { timeout: 1 });
  expect(code).toBe(3);
  expect(result.reasons).toContain(reason);
});

test('a client that cannot be started is wrong usage', async () => {
  const out = join(folder, 'stale');
  await mkdir(out);
  await writeFile(join(out, 'report.json'), JSON.stringify({ kit: { name: 'content-workspace-tck' } }));
  const around = { env: {}, cwd: folder, stdout: new PassThrough(), stderr: new PassThrough() };
  const failing = judge.run(['--out', out, '--', '/no/such/client'], {
    ...around,
    hide: () => {},
    signal: new AbortController().signal,
  });
  await expect(failing).rejects.toThrow(UsageError);
  expect(await readdir(out)).toEqual(['report.previous.json']);
  await expect(judged(folder, ['/no/such/client'])).rejects.toThrow("cannot start '/no/such/client'");
});

const readsBalance = `${ask} const { ok, code } = await ask('credits.balance');`;

test('scenarios are chosen by name, and a finding says how to see it again', async () => {
  const wrong = `${readsBalance} console.log('balance'); if (!ok) console.log('refused with', code);`;
  const { code, result, stderr } = await judged(folder, node(wrong), { scenario: ['refused-everything', 'closed'] });
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => /^\w/.test(line))).toEqual([
    'plain: the client runs without a fault: 1 request, exit code 0',
    'refused-everything: the client gets a refusal for every request: 1 request, exit code 0',
    'refused-everything: client-outcomes.failure-told',
  ]);
  expect(stderr).toContain('client-outcomes.failure-told\n    balance\n    refused with account_frozen\n');
  const told = result.requirements.find(({ id }) => id === 'client-outcomes.failure-told');
  expect(told).toMatchObject({ status: 'warned' });
  expect(told?.findings[0]?.actual).toBe('exit code 0; its last output: balance | refused with account_frozen');
  expect(told?.findings[0]?.scenarios).toEqual(['refused-everything']);
  expect(told?.findings[0]?.reproduce).toContain('tck judge --scenario refused-everything -- ');
  await expect(judged(folder, node(wrong), { scenario: ['limitd'] })).rejects.toThrow("did you mean 'limited'?");
});

test.each([
  ['--person is missing', { scenario: ['denied'] }, "--scenario: 'denied' needs --person approve"],
  [
    'the person denies everything',
    { scenario: ['limited,denied-after-loss'], person: 'deny' },
    "'denied-after-loss' needs",
  ],
])('a scenario that cannot run is wrong usage: %s', async (_why, options, problem) => {
  await expect(judged(folder, node(''), options)).rejects.toThrow(UsageError);
  await expect(judged(folder, node(''), options)).rejects.toThrow(problem);
});

test.each([
  ['in one of two runs', [2], []],
  ['in both runs', [2, 3], ['client-limits.retry-after']],
])('a request that comes too early %s', async (_when, hasty, failed) => {
  const count = join(await mkdtemp(join(folder, 'runs-')), 'count');
  const script = `${ask}
    const { existsSync, readFileSync, writeFileSync } = require('node:fs');
    const count = ${JSON.stringify(count)};
    const run = existsSync(count) ? Number(readFileSync(count, 'utf8')) + 1 : 1;
    writeFileSync(count, String(run));
    (async () => {
      const { error } = await ask('credits.balance');
      if (error === undefined) return;
      if (!${JSON.stringify(hasty)}.includes(run)) await new Promise((resolve) => setTimeout(resolve, 2100));
      await ask('credits.balance');
    })();`;
  expect((await judged(folder, node(script), { scenario: ['limited'] })).withStatus('failed')).toEqual(failed);
});

test('the summary counts what was created although the response was lost', async () => {
  const creates = `const create = () => fetch(process.env.TCK_BASE_URL + '/api/v1/tools/content.create_request', {
      method: 'POST', body: JSON.stringify({ format: 'posts', day: '2031-01-02' }),
      headers: { authorization: 'Bearer ' + process.env.TCK_KEY_PRIMARY, 'content-type': 'application/json' } });
    create().catch(() => console.log('no response'));`;
  const { result } = await judged(folder, node(creates), { scenario: ['lost-content.create_request'] });
  expect(result.summary.contentRequestsCreated).toBe(2);
});

test('recommendations fail the gate where that is asked for, and so do rules that are not tested', async () => {
  const wrong = node(`${readsBalance} if (!ok) console.log('refused');`);
  const chosen = { scenario: ['refused-everything'] };
  expect((await judged(folder, wrong, chosen)).code).toBe(0);
  const advised = await judged(folder, wrong, { ...chosen, failOnAdvice: true });
  expect(advised.code).toBe(1);
  expect(advised.result.gate.reasons).toEqual(['1 recommendation not followed: client-outcomes.failure-told']);
  const required = await judged(folder, wrong, { ...chosen, require: ['client-limits'] });
  expect(required.code).toBe(1);
  expect(required.result.gate.reasons[0]).toContain('client-limits.retry-after');
});

test('what a client prints is shown where it fails, and no key in it', async () => {
  const script = `${readsBalance}
    console.log('key', process.env.TCK_KEY_PRIMARY);
    if (!ok) { console.error('cannot go on:', code); process.exitCode = 4; }`;
  const { stderr, result, withStatus } = await judged(folder, node(script), { scenario: ['refused-everything'] });
  const told = 'refused-everything: client-keys.not-in-output\n    key <primary>\n    cannot go on: account_frozen\n';
  expect(stderr).toContain(told);
  expect(withStatus('warned')).toEqual(['client-keys.not-in-output']);
  expect(JSON.stringify(result) + stderr).not.toMatch(/cwk_/);
});

test.each(['aprove', 'pick='])('--person %s is wrong usage', async (person) => {
  await expect(judged(folder, node(''), { person })).rejects.toThrow('--person: expected approve, deny or pick=SLUG');
});

test('a client that hangs where something happens is stopped, and the report says so', async () => {
  const script = `${readsBalance} if (!ok) setInterval(() => {}, 1000);`;
  const options = { scenario: ['refused-everything'], timeout: 5 };
  const { result, stderr, withStatus } = await judged(folder, node(script), options);
  expect(stderr).toContain('stopped after its time limit');
  expect(result.notices).toContain(
    'the kit stopped the client after its time limit (--timeout) in: refused-everything',
  );
  expect(withStatus('warned')).toContain('client-outcomes.ends');
  expect(withStatus('passed')).not.toContain('client-outcomes.failure-told');
});

test.each([
  ['resets its sandbox', 'POST', 'reset'],
  ['removes its faults', 'DELETE', 'faults'],
])('a client that %s makes the result inconclusive, and its earlier requests count', async (_, method, path) => {
  const script = `${ask} (async () => {
      const { ok } = await ask('credits.balance');
      if (!ok) await ask('credits.balance');
      await fetch(process.env.TCK_CONTROL_URL + 'worlds/main/${path}', {
        method: '${method}', headers: { 'x-control-token': process.env.TCK_CONTROL_TOKEN } });
      process.exitCode = ok ? 0 : 1;
    })();`;
  const { code, result, withStatus } = await judged(folder, node(script), { scenario: ['refused-everything'] });
  expect(withStatus('failed')).toEqual(['client-retries.only-what-may-help']);
  expect(code).toBe(1);
  expect(result.trouble).toEqual(['the client reset its sandbox in: plain, refused-everything']);
});

test('each scenario has two lines at most, and a row in the report', async () => {
  const script = `${readsBalance} console.log('balance'); if (!ok) console.log('refused with', code);`;
  const options = { scenario: ['refused-everything'], repeat: 2, jobs: 1 };
  const { result, stdout, stderr } = await judged(folder, node(script), options);
  expect(stderr.split('\n').filter((line) => line.startsWith('refused-everything:'))).toHaveLength(3);
  expect(result.scenarios).toMatchObject([
    { name: 'plain', exitCode: 0, requests: 1, images: 0, findings: [], runs: 2, passed: 2 },
    { name: 'refused-everything', findings: ['client-outcomes.failure-told'], runs: 2, passed: 0 },
  ]);
  expect(stdout).toMatch(
    /\nAdvised: client-outcomes.failure-told. To fail the gate for these, pass --fail-on-advice.\n$/,
  );
  expect(result.notices.join()).toContain('never called: content.create_request, schedule.read');
});

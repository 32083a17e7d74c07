import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { RunResult } from '../suites/result.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { judge, judgeClient } from './judge.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-judge-'));
});

afterAll(() => rm(folder, { recursive: true }));

const client = (name: string) => [
  process.execPath,
  fileURLToPath(new URL(`../stub/testing/clients/${name}.mjs`, import.meta.url)),
];

const options = {
  seed: 1,
  timeout: 30,
  attended: false,
  ui: false,
  failOnAdvice: false,
  scenario: undefined,
  person: undefined,
  require: undefined,
  reporter: undefined,
};

async function judged(command: readonly string[], more: Partial<Parameters<typeof judgeClient>[0]> = {}) {
  const out = await mkdtemp(join(folder, 'report-'));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => (texts.stdout += chunk));
  stderr.on('data', (chunk) => (texts.stderr += chunk));
  const around = { env: {}, cwd: folder, stdout, stderr, hide: () => {}, signal: new AbortController().signal };
  const given = { ...options, program: command, out, ...more };
  const code = await judgeClient(given, around);
  const result: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const withStatus = (status: string) => result.requirements.filter((one) => one.status === status).map(({ id }) => id);
  return { code, out, result, withStatus, ...texts };
}

/** The exchanges that a finding refers to, in that order. */
const shownBy = (result: RunResult, { exchanges }: { exchanges: readonly number[] }) =>
  exchanges.flatMap((id) => result.exchanges.find((exchange) => exchange.id === id) ?? []);

describe('three clients', { timeout: 120_000 }, () => {
  test('a good one is found good, and everything was tried', async () => {
    const { code, result, out, withStatus, stdout, stderr } = await judged(client('good'));
    expect({ code, failed: withStatus('failed'), warned: withStatus('warned') }).toEqual({
      code: 0,
      failed: [],
      warned: [],
    });
    expect(result).toMatchObject({ verdict: 'conformant', complete: true, target: { kind: 'client' } });
    expect(stdout).toContain('Verdict: conformant\n');
    const { target, summary } = result;
    const { requests, imagesConfirmed } = summary;
    const did = `${target.scenarios?.length} scenarios, ${requests} requests, ${imagesConfirmed} images`;
    expect(stdout).toContain(`${did} dispatched, ${summary.contentRequestsCreated} content requests created in `);
    expect(summary.imagesConfirmed).toBeGreaterThan(5);
    const page = await readFile(join(out, 'report.html'), 'utf8');
    expect(page).toMatch(/images dispatched/);
    expect(page).not.toMatch(/Keys: none|images confirmed|Left behind|curl -sS/);
    expect(stderr).toContain('limited: the client gets a 429 for its first request');
    expect(stderr).not.toMatch(/^ /m);
    expect((await readdir(out)).toSorted()).toEqual([
      'badge.json',
      'badge.svg',
      'ctrf.json',
      'junit.xml',
      'report.html',
      'report.json',
      'summary.md',
    ]);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(result) || validate.errors).toBe(true);
  });

  test('a careless one is found out, with the calls that show it', async () => {
    const { code, out, result, withStatus, stdout } = await judged(client('careless'), {
      scenario: ['unknown-fields,ambiguous,ambiguous-again,limited,refused,closed,gateway,lost-content.create_request'],
    });
    expect(code).toBe(1);
    expect(withStatus('failed')).toEqual([
      'client-confirmations.same-request',
      'client-keys.only-in-authorization',
      'client-limits.retry-after',
      'client-outcomes.ok-decides',
      'client-outcomes.unknown-fields',
      'client-requests.valid-arguments',
      'client-retries.only-what-may-help',
      'client-workspaces.chosen-by-a-person',
    ]);
    expect(withStatus('warned')).toEqual([
      'client-outcomes.no-crash',
      'client-requests.content-type',
      'client-retries.no-blind-repeat',
      'client-workspaces.choices-shown',
    ]);
    expect(stdout).toContain('The client violates the specification.');
    const findings = result.requirements.flatMap(({ id, findings: found }) =>
      found.map((finding) => ({ id, ...finding, shown: shownBy(result, finding) })),
    );
    expect(new Set(findings.map(({ id }) => id)).size).toBe(12);
    expect(findings).toHaveLength(12);
    const early = findings.find(({ id }) => id === 'client-limits.retry-after');
    expect(early?.alsoActual?.[0]).toMatch(/ after it$/);
    const files = ['report.html', 'summary.md', 'junit.xml', 'ctrf.json'];
    const texts = [stdout, ...(await Promise.all(files.map((name) => readFile(join(out, name), 'utf8'))))];
    for (const text of texts) {
      expect(text).toMatch(/seen in\W.*plain, limited, /);
      expect(text).toMatch(/tck judge --scenario plain -- /);
      expect(text).not.toContain('curl -sS');
    }
    for (const { id, scenarios, reproduce, exchanges, shown } of findings) {
      expect(exchanges.length, id).toBeGreaterThan(0);
      expect(shown.map((exchange) => exchange.id).toSorted(), id).toEqual(exchanges.toSorted());
      const first = id === 'client-workspaces.chosen-by-a-person' ? 'ambiguous,ambiguous-again' : scenarios?.[0];
      expect(reproduce, id).toContain(`tck judge --scenario ${first} -- `);
      for (const { credential } of shown) expect(scenarios, id).toContain(credential.replace(/^.*, scenario: /, ''));
    }
    const [proposal, confirmation] = findings.find(({ id }) => id === 'client-confirmations.same-request')?.shown ?? [];
    expect(proposal?.response?.body).toContain('confirmation_required');
    expect(confirmation?.request.body).toContain('"count":2');
    expect(JSON.stringify(result)).not.toMatch(/cwk_/);
  });

  test('one that confirms by itself and waits for nobody is found out', async () => {
    const { code, withStatus } = await judged(client('self-confirming'), {
      scenario: ['expired', 'limited', 'closed', 'redirected'],
    });
    expect(code).toBe(1);
    expect(withStatus('failed')).toEqual([
      'client-confirmations.fresh-proposal',
      'client-confirmations.once',
      'client-limits.retry-after',
      'client-retries.only-what-may-help',
    ]);
    expect(withStatus('warned')).toEqual(['client-confirmations.time-to-read', 'client-outcomes.no-crash']);
  });

  test('where a person is to speak, confirming without is a failure', async () => {
    const { withStatus, result } = await judged(client('self-confirming'), { attended: true, scenario: ['plain'] });
    expect(withStatus('failed')).toContain('client-confirmations.approved');
    const approved = result.requirements.find(({ id }) => id === 'client-confirmations.approved');
    expect(approved?.findings[0]?.reproduce).toMatch(/^tck judge --scenario plain --attended -- /);
  });
});

const node = (script: string) => [process.execPath, '-e', script];

const ask = `const ask = async (tool) => (await fetch(process.env.TCK_BASE_URL + '/api/v1/tools/' + tool, {
  method: 'POST', headers: { authorization: 'Bearer ' + process.env.TCK_KEY_PRIMARY } })).json();`;

test.each([
  [
    'ends early and quietly for unknown fields',
    `${ask} const first = await ask('credits.balance');
    if (!first.x_seen && !first.error) await ask('connections.status');`,
    1,
  ],
  [
    'ends as the data says',
    `${ask} const { balance, error } = await ask('credits.balance');
    process.exitCode = error || balance > 50_000 ? 4 : 0;`,
    0,
  ],
])('a client that %s', { timeout: 60_000 }, async (_what, script, exitCode) => {
  const { code, withStatus } = await judged(node(script), { scenario: ['unknown-fields'] });
  expect({ code, failed: withStatus('failed') }).toEqual({
    code: exitCode,
    failed: exitCode === 0 ? [] : ['client-outcomes.unknown-fields'],
  });
});

test.each([
  ['does nothing', '', 'the client sent no request in the plain scenario'],
  ['ends with an error', 'process.exit(3)', 'the client exited with 3 in the plain scenario'],
  ['does not end', 'setInterval(() => {}, 1000)', 'the client did not exit in time in the plain scenario'],
])('of a client that %s nothing can be told', async (_what, script, reason) => {
  const { code, result } = await judged(node(script), { timeout: 1 });
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
  await expect(judged(['/no/such/client'])).rejects.toThrow("cannot start '/no/such/client'");
});

const readsBalance = `${ask} const { ok, code } = await ask('credits.balance');`;

test('scenarios are chosen by name, and a finding says how to see it again', async () => {
  const wrong = `${readsBalance} console.log('balance'); if (!ok) console.log('refused with', code);`;
  const { code, result, stderr } = await judged(node(wrong), { scenario: ['refused-everything', 'closed'] });
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => /^\w/.test(line))).toEqual([
    'plain: the client runs without a fault: 1 request, exit code 0',
    expect.stringMatching(/^(closed|refused-everything): the client /),
    expect.stringMatching(/^(closed|refused-everything): the client /),
  ]);
  expect(stderr).toContain(', client-outcomes.failure-told\n    balance\n    refused with account_frozen\n');
  const told = result.requirements.find(({ id }) => id === 'client-outcomes.failure-told');
  expect(told).toMatchObject({ status: 'warned' });
  expect(told?.findings[0]?.actual).toBe('exit code 0; its last output: balance | refused with account_frozen');
  expect(told?.findings[0]?.scenarios).toEqual(['refused-everything']);
  expect(told?.findings[0]?.reproduce).toContain('tck judge --scenario refused-everything -- ');
  await expect(judged(node(wrong), { scenario: ['limitd'] })).rejects.toThrow("did you mean 'limited'?");
});

test('recommendations fail the gate where that is asked for, and so do rules that are not tested', async () => {
  const wrong = node(`${readsBalance} if (!ok) console.log('refused');`);
  const chosen = { scenario: ['refused-everything'] };
  expect((await judged(wrong, chosen)).code).toBe(0);
  const advised = await judged(wrong, { ...chosen, failOnAdvice: true });
  expect(advised.code).toBe(1);
  expect(advised.result.gate.reasons).toEqual(['1 recommendation not followed: client-outcomes.failure-told']);
  const required = await judged(wrong, { ...chosen, require: ['client-limits'] });
  expect(required.code).toBe(1);
  expect(required.result.gate.reasons[0]).toContain('client-limits.retry-after');
});

test('what a client prints is shown where it fails, and no key in it', async () => {
  const script = `${readsBalance}
    console.log('key', process.env.TCK_KEY_PRIMARY);
    if (!ok) { console.error('cannot go on:', code); process.exitCode = 4; }`;
  const { stderr, result, withStatus } = await judged(node(script), { scenario: ['refused-everything'] });
  const told = 'exit code 4, client-keys.not-in-output\n    key <primary>\n    cannot go on: account_frozen\n';
  expect(stderr).toContain(told);
  expect(withStatus('warned')).toEqual(['client-keys.not-in-output']);
  expect(JSON.stringify(result) + stderr).not.toMatch(/cwk_/);
});

test.each(['aprove', 'pick='])('--person %s is wrong usage', async (person) => {
  await expect(judged(node(''), { person })).rejects.toThrow('--person: expected ask, or approve, deny or pick=SLUG');
});

test('whoever sits at the terminal answers the client', async () => {
  const script = `const read = require('node:readline').createInterface({ input: process.stdin });
    ${ask.replace('const ask', 'globalThis.ask')}
    read.once('line', async (line) => {
      console.log('got', line);
      if (line === 'y') await ask('credits.balance');
      process.exit(0);
    });`;
  const cli = fileURLToPath(new URL('main.ts', import.meta.url));
  const out = await mkdtemp(join(folder, 'report-'));
  const args = [cli, 'judge', '--person', 'ask', '--scenario', 'plain', '--out', out, '--', ...node(script)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end('y\n');
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  const [code] = await once(child, 'close');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^got y\n/) });
});

test('a person answers a client that prompts', async () => {
  const script = `${ask}
    const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const headers = { authorization: 'Bearer ' + process.env.TCK_KEY_PRIMARY, 'content-type': 'application/json' };
    const send = async (args) => (await fetch(process.env.TCK_BASE_URL + '/api/v1/tools/images.generate', {
      method: 'POST', headers, body: JSON.stringify(args) })).json();
    const args = { board: process.env.TCK_BOARD, brief: 'a cup', count: 1, shape: process.env.TCK_SHAPE };
    const proposal = await send(args);
    const { value } = await lines.next();
    if (value === 'y') await send({ ...args, confirmation_id: proposal.confirmation_id });
    else console.log('denied');
    process.exit(0);`;
  const command = [
    process.execPath,
    '--input-type=module',
    '-e',
    script.replace("require('node:readline')", "(await import('node:readline'))"),
  ];
  const { withStatus, result } = await judged(command, { person: 'approve', scenario: ['denied'] });
  expect([...withStatus('failed'), ...withStatus('warned')]).toEqual([]);
  expect(withStatus('passed')).toContain('client-confirmations.approved');
  expect(result.timeline.map(({ credential }) => credential)).toEqual([
    'primary, scenario: plain',
    'primary, scenario: plain',
    'primary, scenario: denied',
  ]);
});

test('a client that hangs where something happens is stopped, and the report says so', async () => {
  const script = `${readsBalance} if (!ok) setInterval(() => {}, 1000);`;
  const { result, stderr } = await judged(node(script), { scenario: ['refused-everything'], timeout: 2 });
  expect(stderr).toContain('stopped after its time limit');
  expect(result.notices).toEqual([
    'the kit stopped the client after its time limit (--timeout) in: refused-everything',
  ]);
});

import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import { judged } from '../test/judged.ts';
import { reportForms } from '../test/report-forms.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const node = (script: string) => [process.execPath, '-e', script];
const client = (name: string) => [
  process.execPath,
  fileURLToPath(new URL(`../test/clients/${name}.mjs`, import.meta.url)),
];

test('a good client is found good, and everything was tried', async () => {
  const { code, result, out, withStatus, stdout, stderr } = await judged(folder, client('good'));
  expect([code, withStatus('failed'), withStatus('warned')]).toEqual([0, [], []]);
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
  expect((await readdir(out)).toSorted()).toEqual(reportForms);
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  expect(validate(result) || validate.errors).toBe(true);
});

test('a careless client is found out, with the calls that show it', async () => {
  const { code, out, result, withStatus, stdout } = await judged(folder, client('careless'), {
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
    'client-outcomes.reason-shown',
    'client-requests.content-type',
    'client-retries.no-blind-repeat',
    'client-workspaces.choices-shown',
  ]);
  expect(stdout).toContain('The client violates the specification.');
  const findings = result.requirements.flatMap(({ id, findings: found }) =>
    found.map((finding) => ({
      ...{ id, ...finding },
      shown: finding.exchanges.flatMap((nth) => result.exchanges.find((exchange) => exchange.id === nth) ?? []),
    })),
  );
  expect(new Set(findings.map(({ id }) => id)).size).toBe(13);
  expect(findings).toHaveLength(13);
  const early = findings.find(({ id }) => id === 'client-limits.retry-after');
  expect(early?.alsoActual?.[0]).toMatch(/ after the 429$/);
  const files = ['report.html', 'summary.md', 'junit.xml', 'ctrf.json'];
  const texts = [stdout, ...(await Promise.all(files.map((name) => readFile(join(out, name), 'utf8'))))];
  for (const text of texts) {
    expect(text).toMatch(/seen in.{1,40}plain.{1,40}plain-again/s);
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

const ask = `const ask = async (tool, args) => (await fetch(process.env.TCK_BASE_URL + '/api/v1/tools/' + tool, {
  method: 'POST', headers: { authorization: 'Bearer ' + process.env.TCK_KEY_PRIMARY },
  body: JSON.stringify(args) })).json();`;

test.each([
  ['does nothing', '', 'the client sent no request in the plain scenario'],
  ['ends with an error', 'process.exit(3)', 'the client exited with 3 in the plain scenario'],
  ['does not end', 'setInterval(() => {}, 1000)', 'the client did not exit in time in the plain scenario'],
])('of a client that %s nothing can be told', async (_what, script, reason) => {
  const { code, result } = await judged(folder, node(script), { timeout: 1 });
  expect([code, result.reasons]).toEqual([3, expect.arrayContaining([reason])]);
});

test('a client that cannot be started is wrong usage', async () => {
  const out = join(folder, 'stale');
  await mkdir(out);
  await writeFile(join(out, 'report.json'), JSON.stringify({ kit: { name: 'content-workspace-tck' } }));
  expect(await tck(['judge', '--out', out, '--', '/no/such/client'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot start '/no/such/client'"),
  });
  expect(await readdir(out)).toEqual(['report.previous.json']);
});

const readsBalance = `${ask} const { ok, code } = await ask('credits.balance');`;
/** It exits with 0 after a refusal. */
const wrong = node(`${readsBalance} console.log('balance'); if (!ok) console.log('refused with', code);`);

test('scenarios are chosen by name, and a finding says how to see it again', async () => {
  const { code, result, stderr } = await judged(folder, wrong, { scenario: ['refused-everything', 'closed'] });
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => /^\w/.test(line))).toEqual([
    'plain: the client runs without a fault: 1 request, exit code 0',
    'refused-everything: the client gets a refusal for every request: 1 request, exit code 0',
    'refused-everything: client-outcomes.failure-told',
  ]);
  expect(stderr).toContain('client-outcomes.failure-told\n    balance\n    refused with account_frozen\n');
  const told = result.requirements.find(({ id }) => id === 'client-outcomes.failure-told');
  const finding = {
    actual: 'exit code 0; its last output: balance | refused with account_frozen',
    scenarios: ['refused-everything'],
    reproduce: expect.stringContaining('tck judge --scenario refused-everything -- '),
  };
  expect(told).toMatchObject({ status: 'warned', findings: [finding] });
});

test.each([
  [{ scenario: ['limitd'] }, "did you mean 'limited'?"],
  [{ scenario: ['denied'] }, "--scenario: 'denied' needs --person approve"],
  [{ scenario: ['limited,denied-after-loss'], person: 'deny' }, "'denied-after-loss' needs"],
  [{ person: 'aprove' }, '--person: expected approve, deny or pick=SLUG'],
  [{ person: 'pick=' }, '--person: expected approve, deny or pick=SLUG'],
])('%j is wrong usage', async (options, problem) => {
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
  const options = { scenario: ['refused-everything'], failOnAdvice: true, require: ['client-limits'] };
  const { code, result } = await judged(folder, wrong, options);
  expect(code).toBe(1);
  expect(result.gate.reasons).toEqual([
    expect.stringContaining('client-limits.retry-after'),
    '1 recommendation not followed: client-outcomes.failure-told',
  ]);
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
  ['tries to reset its sandbox', 'POST', 'reset'],
  ['tries to remove its faults', 'DELETE', 'faults'],
])('a client that %s makes the result inconclusive, and its requests count', async (_, method, path) => {
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
  expect(result.trouble).toEqual([
    'the client tried to reset its sandbox or to remove its faults in: plain, refused-everything',
  ]);
});

test('a client that reads before it repeats a lost content request gets a notice', async () => {
  const script = `${ask} const workspace = process.env.TCK_WORKSPACE;
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const create = () => ask('content.create_request', { workspace, format: 'posts', day, title: 'A post' });
    create().catch(() => ask('schedule.read', { workspace }).then(create));`;
  const lost = 'lost-content.create_request';
  const { result, withStatus } = await judged(folder, node(script), { scenario: [lost] });
  expect(withStatus('passed')).toContain('client-retries.no-blind-repeat');
  expect(result.notices).toContain(
    `more images or content requests than in plain; check that a person agreed: ${lost}`,
  );
});

test('each scenario has two lines at most, and a row in the report', async () => {
  const options = { scenario: ['refused-everything'], repeat: 2, jobs: 1 };
  const { result, stdout, stderr } = await judged(folder, wrong, options);
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

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preAuthEncoding } from '../reports/attestation/dsse.ts';
import { reportJson } from '../reports/json.ts';
import { aFailure, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { tck } from '../test/tck.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const commit = 'd20ace7968ba43c0219f62d71334c1095bab1602';
const run = aRun([
  aRequirement('headers.beta'),
  aFailure('authentication.absent'),
  notTested('schedule.dates', "no key for the role 'sole'", [{ kind: 'role', role: 'sole' }]),
]);

let folder = '';
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder });
const reportFile = () => join(folder, 'report.json');
const attest = (...args: string[]) => tck(['attest', folder, ...args], { cwd: folder });
const verify = (...args: string[]) => tck(['verify', 'result.json', '--key', 'ed.pub', ...args], { cwd: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-attest-'));
  await writeFile(reportFile(), reportJson(run));
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'ed.pem');
  openssl('pkey', '-in', 'ed.pem', '-pubout', '-out', 'ed.pub');
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'ec.pem');
  openssl('pkey', '-in', 'ec.pem', '-pubout', '-out', 'ec.pub');
  const { code, stderr } = await attest('--key', 'ed.pem', '--subject-digest', digest, '-o', 'result.json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

async function envelope() {
  const { payloadType, payload, signatures } = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
  return { payloadType, body: Buffer.from(payload, 'base64'), signatures };
}

test('OpenSSL verifies the signature of the envelope', async () => {
  const { payloadType, body, signatures } = await envelope();
  expect(payloadType).toBe('application/vnd.in-toto+json');
  expect(signatures).toHaveLength(1);
  await writeFile(join(folder, 'signed.bin'), preAuthEncoding(payloadType, body));
  await writeFile(join(folder, 'signature.bin'), Buffer.from(signatures[0].sig, 'base64'));
  const args = ['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', 'ed.pub', '-in', 'signed.bin'];
  expect(`${openssl(...args, '-sigfile', 'signature.bin')}`).toContain('Signature Verified Successfully');
  await writeFile(join(folder, 'signed.bin'), preAuthEncoding('text/plain', body));
  expect(spawnSync('openssl', [...args, '-sigfile', 'signature.bin'], { cwd: folder }).status).not.toBe(0);
});

test('the statement names what was tested, with which versions, and what was not tested', async () => {
  const statement = JSON.parse(`${(await envelope()).body}`);
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: run.target.baseUrl, digest: { sha256: 'ab'.repeat(32) } }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: 'FAILED',
      configuration: [
        { name: 'kit', uri: `pkg:npm/content-workspace-tck@${run.kit.version}` },
        { name: 'specification', digest: { sha256: run.document.contractSha256 } },
        { name: 'settings', mediaType: 'application/json' },
      ],
      passedTests: ['headers.beta'],
      warnedTests: [],
      failedTests: ['authentication.absent'],
      contentWorkspaceTck: {
        report: { digest: { sha256: `${openssl('dgst', '-sha256', '-r', 'report.json')}`.slice(0, 64) } },
        verdict: 'non-conformant',
        counts: { passed: 1, failed: 1, notTested: 1 },
        notTested: [{ name: 'schedule.dates', status: 'not-tested', reason: "no key for the role 'sole'" }],
      },
    },
  });
  const { content } = statement.predicate.configuration[2];
  expect(JSON.parse(`${Buffer.from(content, 'base64')}`)).toEqual({ target: run.target, seed: run.seed });
});

test('tck verify checks the signature, the subject and the report', async () => {
  const good = await verify('--report', folder, '--subject-digest', digest);
  expect(good).toMatchObject({ code: 0, stderr: '' });
  expect(good.stdout).toContain('Verified: the signature is valid.');
  expect(good.stdout).toContain('Result: FAILED (non-conformant)');
  expect(good.stdout).toContain('Requirements: 1 passed, 1 failed, 1 not tested');

  await writeFile(join(folder, 'other.json'), reportJson({ ...run, seed: 2 }));
  const cases: [string[], string][] = [
    [['--report', 'other.json'], 'the statement is about another report'],
    [['--subject-digest', `sha256:${'cd'.repeat(32)}`], 'the statement is about another --subject-digest'],
    [['--commit', commit], 'the statement is about another --commit'],
  ];
  for (const [args, why] of cases)
    expect(await verify(...args)).toMatchObject({ code: 1, stdout: `Not verified: ${why}\n` });
  const other = await tck(['verify', 'result.json', '--key', 'ec.pub'], { cwd: folder });
  expect(other).toMatchObject({ code: 1, stdout: 'Not verified: the signature was not made with the key in ec.pub\n' });
});

test('a changed payload is not verified, and nothing of it is shown', async () => {
  const given = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
  const payload = `${Buffer.from(given.payload, 'base64')}`.replace('"FAILED"', '"PASSED"');
  await writeFile(
    join(folder, 'forged.json'),
    JSON.stringify({ ...given, payload: Buffer.from(payload).toString('base64') }),
  );
  const { code, stdout } = await tck(['verify', 'forged.json', '--key', 'ed.pub'], { cwd: folder });
  expect(code).toBe(1);
  expect(stdout).toBe('Not verified: the signature was not made with the key in ed.pub\n');
});

test('a command can sign, with its own kind of key; the label of the run can be the commit', async () => {
  await writeFile(join(folder, 'labelled.json'), reportJson({ ...run, target: { ...run.target, label: commit } }));
  const sign = 'openssl dgst -sha256 -sign ec.pem | openssl base64';
  const made = await tck(['attest', 'labelled.json', '--sign-command', sign, '--out', 'kms.json'], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const verified = await tck(['verify', 'kms.json', '--key', 'ec.pub', '--commit', commit], { cwd: folder });
  expect(verified.stdout).toContain(`gitCommit ${commit}`);
  expect(verified.code).toBe(0);
});

test.each<[string[], string]>([
  [[], '--key: expected either --key or --sign-command, got none'],
  [['--key', 'ed.pem', '--sign-command', 'x'], '--key: expected either --key or --sign-command, got both'],
  [['--key', 'ed.pem'], '--commit: expected --commit or --subject-digest, because a statement names what was tested'],
  [['--key', 'ed.pem', '--commit', 'main'], "--commit: expected 40 or 64 hexadecimal digits in lower case, got 'main'"],
  [['--key', 'none.pem', '--commit', commit], 'does not exist'],
  [['--key', 'ed.pub', '--commit', commit], '--key: expected a private key in PEM without a passphrase'],
  [['--key', 'ec.pem', '--commit', commit], "--key: expected an Ed25519 private key, got 'ec'"],
  [
    ['--sign-command', 'exit 3', '--commit', commit],
    '--sign-command: expected a signature, but the command exited with code 3',
  ],
  [
    ['--sign-command', 'echo no', '--commit', commit],
    '--sign-command: expected the command to print a signature in Base64',
  ],
])('tck attest %j is wrong usage', async (args, message) => {
  const { code, stdout, stderr } = await attest(...args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.each<[string, string, string]>([
  ['report.json', 'ed.pub', 'report.json is not a DSSE envelope: payloadType: expected a text'],
  ['ed.pub', 'ed.pub', 'ed.pub is not a DSSE envelope: expected JSON'],
  ['none.json', 'ed.pub', 'does not exist'],
  ['result.json', 'report.json', '--key: expected a public key in PEM'],
])('tck verify %s --key %s is wrong usage', async (file, key, message) => {
  const { code, stderr } = await tck(['verify', file, '--key', key], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

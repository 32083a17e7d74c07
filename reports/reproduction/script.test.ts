import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type DefectId, defects } from '../../stub/variants/defects/index.ts';
import { causesOf } from '../../suites/causes/causes.ts';
import type { RunResult } from '../../suites/result.ts';
import { resultOf, runAgainst, runScript, written } from '../../test/reports/trial.ts';
import { isTriedWhole } from '../../test/whole.ts';
import { type Reproducible, reproduction } from './script.ts';
import { scriptsOf } from './scripts.ts';

/** Defects for each kind of check and story: single request, comparison, confirmation ID, clock, rate limit. */
const representative: readonly DefectId[] = [
  'used-id-answers-with-its-run',
  'ok-left-out-where-refused',
  'unknown-key-is-told',
  'race-loser-told-to-wait',
  'balance-open-to-anybody',
  'second-call-decides-count',
  'expired-id-proposes',
  'beta-header-missing-on-429',
  'key-compared-without-case',
  'confirmation-burnt-by-unknown-board',
  'ambiguous-as-409',
  'balance-as-plain-text',
  'revoked-401-a-byte-longer',
  'realm-of-tool-in-401',
  'unknown-tool-named-in-404',
  'capability-missing-as-401',
  'malformed-forgiven-by-credits-balance',
  'issues-by-field',
  'title-over-limit-accepted',
  'days-backwards',
  'hits-null',
  'last-item-without-board',
  'same-item-of-two-boards',
  'board-of-any-workspace',
  'used-id-told-by-header',
  'crash-on-huge-count',
  'answer-cached-without-workspace',
  'boundary-error-with-ok',
  'formats-matched-by-their-start',
];

const tried = representative.filter((_, index) => isTriedWhole('slow') || index < 8);
const folder = mkdtempSync(join(tmpdir(), 'tck-repro-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether the stories of the violated requirement are sufficient to detect a defect. */
const isNarrow = (defect: DefectId) => !wide.includes(defect);
const wide: readonly DefectId[] = [
  'answer-cached-without-workspace',
  'boundary-error-with-ok',
  'formats-matched-by-their-start',
  'ok-left-out-where-refused',
  'confirmation-burnt-by-unknown-board',
  'ambiguous-as-409',
  'crash-on-huge-count',
];

const failsIn = ({ requirements }: RunResult, id: string) =>
  requirements.some((each) => each.id === id && each.findings.length > 0);

/** Input for a script about one failed requirement. */
function causeOf(result: RunResult, id: string): Reproducible {
  const group = causesOf(result).find(({ requirements }) => requirements.some((each) => each.id === id));
  const failed = result.requirements.find((each) => each.id === id);
  return {
    title: failed?.statement ?? id,
    requirements: [id],
    findings: failed?.findings ?? (group === undefined ? [] : [group.finding]),
    exchanges: result.exchanges,
    target: result.target,
  };
}

describe('a script, run against the stub with its defect and without', () => {
  test.each(tried)('%s', async (defect) => {
    const { breaks } = defects[defect];
    const result = await resultOf(defect, isNarrow(defect) ? breaks.slice(0, 1) : undefined);
    const id = breaks.find((each) => failsIn(result, each)) ?? '';
    const { script, decides } = reproduction(causeOf(result, id));
    expect(decides).toBe(true);
    const file = written(folder, defect, script);
    const deviating = await runAgainst(file, defect);
    const conforming = await runAgainst(file, null);
    expect([deviating.code, conforming.code], `${deviating.output}\n---\n${conforming.output}`).toEqual([1, 0]);
    for (const key of ['cws_', 'authorization']) expect(deviating.output).not.toContain(key);
  });
});

const hasShellcheck = (() => {
  try {
    execFileSync('shellcheck', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

describe('a script', async () => {
  const result = await resultOf('used-id-answers-with-its-run', ['confirmations.used-invalid']);
  const what = causeOf(result, 'confirmations.used-invalid');

  test('proposes, confirms and confirms again, with the id of its own proposal', () => {
    const { script } = reproduction(what);
    expect(script).toContain('id_1=$(text 1 .confirmation_id)');
    expect(script.match(/^ {2}send /gm)).toHaveLength(3);
    const issued = /cnf_\w+/;
    expect(script).not.toMatch(issued);
  });

  test.skipIf(!hasShellcheck)('passes shellcheck', () => {
    const hostile = { ...what, title: "$(touch x) `y` 'z'\n\"; rm", requirements: ["';exit 9;'"] };
    for (const [name, each] of Object.entries({ plain: what, hostile })) {
      const file = written(folder, `shellcheck-${name}`, reproduction(each).script);
      expect(execFileSync('shellcheck', [file], { encoding: 'utf8' })).toBe('');
    }
  });

  test('asks before it spends, names a missing key, and knows no other option', async () => {
    const file = written(folder, 'usage', reproduction(what).script);
    const unasked = await runAgainst(file, null, []);
    expect(unasked).toMatchObject({ code: 2, output: expect.stringContaining('Pass --yes') });
    const keyless = await runScript(file, ['--yes'], { TCK_BASE_URL: 'http://127.0.0.1:9' });
    expect(keyless).toMatchObject({ code: 2, output: expect.stringContaining('set TCK_KEY_PRIMARY') });
    expect(await runAgainst(file, null, ['--force'])).toMatchObject({ code: 2 });
  });

  test('decides nothing if there is no response', async () => {
    const file = written(folder, 'unreachable', reproduction(what).script);
    const env = { TCK_BASE_URL: 'http://127.0.0.1:9', TCK_KEY_PRIMARY: 'cws_none' };
    expect(await runScript(file, ['--yes'], env)).toMatchObject({ code: 3 });
  });

  test('shows the steps of what it cannot decide', () => {
    const findings = what.findings.map((finding) => ({ ...finding, expected: 'something new' }));
    const { script, decides } = reproduction({ ...what, findings });
    expect(decides).toBe(false);
    expect(script).toContain("undecided 'compare the responses with what was expected: something new'");
  });

  test('does not say fixed of a balance that may only differ after something was spent', async () => {
    const remembered = await resultOf('balance-remembered-by-key');
    const { script } = reproduction(causeOf(remembered, 'credits.one-balance'));
    const ended = await runAgainst(written(folder, 'balance', script), 'balance-remembered-by-key');
    expect(ended).toMatchObject({ code: 3, output: expect.stringContaining('only after something was spent') });
  });

  test('copies no credential into the script that the kit does not write', () => {
    const exchanges = what.exchanges.map((each) => ({
      ...each,
      curl: each.curl.replace('$TCK_KEY_PRIMARY', '$(touch /tmp/x)'),
    }));
    const { script, decides } = reproduction({ ...what, exchanges });
    expect(decides).toBe(false);
    expect(script).not.toContain('touch /tmp/x');
  });
});

test('a report has a script for each cause, numbered from 1', async () => {
  const result = await resultOf('used-id-answers-with-its-run', ['confirmations.used-invalid']);
  const scripts = scriptsOf(result);
  expect(Object.keys(scripts)[0]).toBe('repro/1.sh');
  for (const script of Object.values(scripts)) expect(script).toMatch(/^#!\/usr\/bin\/env bash\n/);
  expect(scriptsOf({ ...result, requirements: [] })).toEqual({});
});

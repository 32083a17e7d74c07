import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { combineDefects } from '../test/mutations/defects/index.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
let stub: Stub;
let args: string[];
let env: Record<string, string>;

beforeAll(async () => {
  stub = createStub({ deviation: combineDefects(['days-backwards']) });
  const { baseUrl } = await stub.listen({ port: 0 });
  args = ['run', baseUrl, '--only', 'schedule', '--out', folder];
  env = { TCK_KEY_PRIMARY: stub.keys.primary };
});

afterAll(async () => {
  await stub.close();
});

const entry = (requirement: string, expires: string) =>
  JSON.stringify({
    requirement,
    reason: 'the week is sorted wrongly',
    issue: 'https://tracker.example.test/1',
    owner: 'schedule team',
    expires,
  });

/** Runs with a list of known failures and returns the output and the report. */
async function runKnowing(
  entries: readonly string[],
  more: readonly string[] = [],
): Promise<{ code: number | null; stdout: string; report: RunResult }> {
  const list = join(folder, 'known.json');
  await writeFile(list, `[\n${entries.join(',\n')}\n]\n`);
  const { code, stdout } = await tck([...args, '--known-failures', list, ...more], { env });
  return { code, stdout, report: JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) };
}

/** IDs of requirements that fail without a list of known failures. */
async function failing(): Promise<string[]> {
  const { code } = await tck(args, { env });
  expect(code).toBe(1);
  const report: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  return report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
}

test('known failures do not fail the gate; one that passes, or is past its date, does', async () => {
  const failed = await failing();
  expect(failed).toContain('schedule.days-consecutive');
  const known = failed.map((id) => entry(id, '2999-12-31'));
  const excused = await runKnowing(known);
  expect(excused.code, excused.stdout).toBe(0);
  expect(excused.report).toMatchObject({
    verdict: 'non-conformant',
    gate: { passed: true, reasons: [] },
    summary: { failed: 0, knownFailures: failed.length },
  });

  const stale = await runKnowing([...known, entry('schedule.meta-line', '2999-12-31')]);
  expect(stale.code, stale.stdout).toBe(1);
  expect(stale.stdout).toContain(`  - known.json, line ${known.length + 2}`);

  const past = await runKnowing(failed.map((id) => entry(id, '2020-01-01')));
  expect(past.code, past.stdout).toBe(1);
});

test('--update-known-failures applies the list as it was before the run', async () => {
  const [first = '', ...others] = await failing();
  const updating = await runKnowing([entry(first, '2999-12-31')], ['--update-known-failures']);
  expect(updating.code, updating.stdout).toBe(others.length === 0 ? 0 : 1);
  expect(updating.report.summary).toMatchObject({ failed: others.length, knownFailures: 1 });
  const listed: { requirement: string }[] = JSON.parse(await readFile(join(folder, 'known.json'), 'utf8'));
  expect(listed.map(({ requirement }) => requirement).toSorted()).toEqual([first, ...others].toSorted());
});

test('--update-known-failures accepts an empty file', async () => {
  const list = join(folder, 'empty.yaml');
  await writeFile(list, '');
  const { code, stderr } = await tck([...args, '--known-failures', list, '--update-known-failures'], { env });
  expect(code, stderr).toBe(1);
});

test('entries are proposed without a reason, and a list without reasons is not accepted', async () => {
  const list = join(folder, 'proposed.yaml');
  const proposing = await tck([...args, '--known-failures', list, '--update-known-failures'], { env });
  expect(proposing.code).toBe(1);
  expect(await readFile(list, 'utf8')).toContain('requirement: schedule.days-consecutive');
  const using = await tck([...args, '--known-failures', list], { env });
  expect(using.code).toBe(2);
  expect(using.stderr).toMatch(/proposed\.yaml.*: entry 1 \(.*\): 'reason' is wrong/);
});

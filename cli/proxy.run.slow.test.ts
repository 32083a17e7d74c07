import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const main = `"${process.execPath}" "${fileURLToPath(new URL('main.ts', import.meta.url))}"`;

const folder = temporaryFolder();
const reportIn = async (out: string): Promise<RunResult> =>
  JSON.parse(await readFile(join(folder, out, 'report.json'), 'utf8'));

/** Runs a shell command next to a conforming stub, in the folder with its configuration. */
const besideStub = async (line: string) => {
  const ended = await tck(['stub', '--control', '--write-config', 'config.json', '--', 'sh', '-c', line], {
    cwd: folder,
  });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
};

const told = ({ verdict, requirements }: RunResult) => ({
  verdict,
  statuses: requirements.map(({ id, status }) => `${id} ${status}`),
});

test('a run of the kit through the proxy has the verdict that it has without, and the proxy finds nothing', {
  timeout: 120_000,
}, async () => {
  const run = `${main} run "$TCK_BASE_URL" --config config.json --allow all --out`;
  await besideStub(`${run} directly`);
  await besideStub(
    `${main} proxy "$TCK_BASE_URL" --config config.json --assume complete --out passed -- sh -c '${run} through'`,
  );
  const [directly, through, passed] = await Promise.all(['directly', 'through', 'passed'].map(reportIn));
  expect(through && told(through)).toEqual(directly && told(directly));
  expect(passed?.requirements.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(passed?.summary.requests).toBeGreaterThan(500);
  expect(passed?.summary.passed).toBeGreaterThan(100);
});

import { expect, test } from 'vitest';
import { reportOf } from '../../reports/report.ts';
import { writeReports } from '../../reports/write.ts';
import { createStub } from '../../stub/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import { textsIn } from '../output.ts';
import { inProcess } from '../stub-target.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { problemsOf } from './problems.ts';
import type { AttackedRun } from './run.ts';

const key = 'cwk_An-example-of-a-key-that-is-long-enough';

const folder = temporaryFolder();
await writeReports(reportOf(await audit(inProcess(createStub()), { seed: 1, only: ['credits'] })), folder);
const good: AttackedRun = {
  ...{ code: 1, peakMegabytes: 200, maxImages: 8, imagesDispatched: 8, attacked: 1 },
  ...{ stdout: 'a\n\tb\n', stderr: '', keys: [key], strayed: [] },
  files: new Map(Object.entries(await textsIn(folder))),
};
const withFile = (name: string, change: (text: string) => string): Partial<AttackedRun> => ({
  files: new Map(good.files).set(name, change(good.files.get(name) ?? '')),
});

test('a run that held has none', async () => {
  expect(await problemsOf(good)).toEqual([]);
});

test.each<[Partial<AttackedRun>, string]>([
  [{ attacked: 0 }, 'the attack was never met'],
  [{ code: 0 }, 'exit code 0: '],
  [{ code: null, stderr: 'killed' }, 'exit code null: killed'],
  [{ peakMegabytes: 400 }, '400 MB'],
  [{ peakMegabytes: 'aborted' }, 'no peak of memory: the process was aborted'],
  [{ strayed: ['GET /x HTTP/1.1\r\nhost: y'] }, 'sent elsewhere: GET /x HTTP/1.1'],
  [{ imagesDispatched: 9 }, '9 images dispatched, of 8'],
  [{ stderr: 'Error: x\n    at run (/kit/run.ts:1:2)\n' }, 'a fault of the kit'],
  [{ files: new Map([...good.files].filter(([name]) => name !== 'junit.xml')) }, 'junit.xml: missing'],
  [withFile('report.json', (text) => text.replace('"schemaVersion"', '"version"')), 'report.json: not valid'],
  [withFile('report.json', (text) => text.slice(0, -9)), 'report.json: not valid'],
  [
    withFile('report.json', (text) => text.replace('"status": "passed"', '"status": "errored", "reason": "x"')),
    'credits.balance: errored without an exchange, x',
  ],
  [withFile('ctrf.json', () => '{}'), 'ctrf.json: not valid'],
  [withFile('junit.xml', (text) => text.replace('</testsuites>', '')), 'junit.xml: not valid'],
  [withFile('report.html', (text) => text.slice(0, -20)), 'report.html: not valid'],
  [{ stdout: 'a\u001b[2J' }, 'stdout: control character "\\u001b"'],
  [withFile('summary.md', (text) => `${text}\r`), 'summary.md: control character "\\r"'],
  [{ stdout: 'a\n  ::error::b' }, 'stdout: workflow command ::error::b'],
  [{ stderr: 'a ##vso[task]' }, 'stderr: workflow command ##vso[task]'],
  [{ stdout: `a ${key} b` }, 'stdout: a key in plain text'],
])('%o is one', async (change, problem) => {
  expect(await problemsOf({ ...good, ...change })).toContain(problem);
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reportJson } from '../reports/json.ts';
import { writeReports } from '../reports/write.ts';
import type { RunResult } from '../suites/result.ts';
import { chromiumPath, startBrowser } from '../test/reports/browser.ts';
import { allGreen, usual, veryMany } from '../test/reports/scenarios.ts';
import { root } from './child.ts';
import { spread, type Table } from './table.ts';

const runs = 7;
const execute = promisify(execFile);

/** Time to write a report in all formats, including module loading, and to open the largest page. Requires a build. */
export async function reportFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  try {
    const rows = [
      ['no findings, 12 exchanges', await timesOfWriting(folder, allGreen())],
      ['12 findings, 300 exchanges', await timesOfWriting(folder, usual())],
      ['120 findings, 2,000 exchanges', await timesOfWriting(folder, veryMany())],
    ] as const;
    const opening = chromiumPath === undefined ? [] : [await timesOfOpening(folder)];
    return [
      {
        title: 'Reports',
        about:
          'This table shows the time that a new process needs to load the modules and write all report files, and ' +
          'the time that Chromium needs to open the HTML report with 2,000 exchanges. Each median is from ' +
          `${runs} repetitions. Targets: less than 150 ms to write the report with 300 exchanges, and less than ` +
          '1,000 ms to open the HTML report.',
        header: ['Task', 'ms'],
        rows: [
          ...rows.map(([what, times]) => [`Writing: ${what}`, spread(times)]),
          ...opening.map((times) => ['Opening: 120 findings, 2,000 exchanges', spread(times)]),
        ],
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function timesOfWriting(folder: string, run: RunResult): Promise<number[]> {
  const report = join(folder, 'run.json');
  await writeFile(report, reportJson(run));
  const script = `
    import { readFileSync } from 'node:fs';
    import { enableCompileCache } from 'node:module';
    enableCompileCache(); // as the command line does
    const run = JSON.parse(readFileSync(${JSON.stringify(report)}, 'utf8'));
    const started = performance.now();
    const { writeReports } = await import(${JSON.stringify(new URL('dist/reports/write.js', `file://${root}/`).href)});
    await writeReports(run, ${JSON.stringify(join(folder, 'out'))});
    console.log(performance.now() - started);`;
  const times: number[] = [];
  for (let round = 0; round < runs; round++) {
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script]);
    times.push(Number(stdout));
  }
  return times;
}

async function timesOfOpening(folder: string): Promise<number[]> {
  await writeReports(veryMany(), folder);
  const browser = await startBrowser();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const page = await browser.newPage();
    const started = performance.now();
    await page.goto(`file://${join(folder, 'report.html')}`);
    times.push(performance.now() - started);
    await page.close();
  }
  await browser.close();
  return times;
}

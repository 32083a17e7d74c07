import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../suites/result.ts';
import { timed } from './child.ts';
import { grouped, spread, type Table } from './table.ts';

const runs = 7;

/** Wall time of `tck run --stub`, including process startup. Requires a build. */
export async function runFigures(): Promise<Table[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const folder = temporary.path;
  const args = ['run', '--stub', '--out', folder];
  const times = { source: [] as number[], built: [] as number[] };
  for (let run = 0; run <= runs; run++) {
    for (const [name, file] of [['source', 'cli/main.ts'] as const, ['built', 'dist/cli/main.js'] as const]) {
      const { ms, code } = await timed([file, ...args]);
      if (code !== 0) throw new Error(`tck run --stub exited with code ${code}`);
      if (run > 0) times[name].push(ms); // the first fills the compile cache
    }
  }
  const report = await reportIn(folder);
  await timed(['dist/cli/main.js', ...args, '--no-observe']);
  const checksOnly = await reportIn(folder);
  return [
    {
      title: 'A whole run',
      about:
        'This table shows the time of `tck run --stub`, which allows all side effects. The time includes the ' +
        `process start and the report. Each median is from ${runs} runs. Target: less than 1,000 ms.`,
      header: ['Package', 'ms'],
      rows: [
        ['From a checkout', spread(times.source)],
        ['The built package', spread(times.built)],
      ],
    },
    {
      title: 'Requests in a run',
      about: 'The requests of `tck run --stub`. Target: at most 1,300 requests.',
      header: ['Quantity', 'Number'],
      rows: [
        ['All requests', grouped(report.summary.requests)],
        ['All except those for observations', grouped(checksOnly.summary.requests)],
        ['Confirmed images', String(report.summary.imagesConfirmed)],
        ['Created content requests', String(report.summary.contentRequestsCreated)],
      ],
    },
  ];
}

async function reportIn(folder: string): Promise<RunResult> {
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
}

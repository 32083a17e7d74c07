import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spread, started, told } from './programs.ts';

const runs = 7;

/** Wall time of `tck run --stub`, including process startup. */
export async function runFigures(folder: string): Promise<void> {
  const files = ['cli/main.ts', 'dist/cli/main.js'].map((file) => ({ file, times: [] as number[] }));
  for (let run = 0; run <= runs; run++) {
    for (const { file, times } of files) {
      const startedAt = performance.now();
      const [code] = await once(started([file, 'run', '--stub', '--out', folder], 'ignore'), 'exit');
      if (code !== 0) throw new Error(`${file} exited with code ${code}`);
      if (run > 0) times.push(performance.now() - startedAt); // the first fills the compile cache
    }
  }
  const { summary } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  told(
    `Milliseconds of tck run --stub with the report, in ${runs} runs. Target: less than 1,000 ms, 1,300 requests.`,
    files.map(({ file, times }) => ({ Package: file, ms: spread(times), requests: summary.requests })),
  );
}

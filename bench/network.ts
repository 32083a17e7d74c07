import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../suites/result.ts';
import { delayedInFrontOf } from '../suites/testing/network.ts';
import { serve, timed } from './child.ts';
import { spread, type Table } from './table.ts';

const runs = 3;
const roundTripMs = 100;

/** A whole run over a slow link: a proxy that delays lies between the kit and the stub. Needs a build. */
export async function networkFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  const config = join(folder, 'tck.config.json');
  try {
    const stub = await serve(['dist/cli.js', 'stub', '--port', '0', '--json', '--write-config', config]);
    await using slow = await delayedInFrontOf(Number(new URL(stub.baseUrl).port), roundTripMs);
    const written = JSON.parse(await readFile(config, 'utf8'));
    await writeFile(config, JSON.stringify({ ...written, baseUrl: `http://127.0.0.1:${slow.port}` }));
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      const { ms, code } = await timed(['dist/cli.js', 'run', '--config', config, '--out', folder]);
      if (code !== 0) throw new Error(`the run over a slow link ended with exit code ${code}`);
      times.push(ms);
    }
    await stub.stop();
    const report: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
    return [
      {
        title: 'A slow link',
        about: `A whole run, all effects, with ${roundTripMs} ms of round trip between the kit and the stub; ${runs} times. Milliseconds: median, with the least and the most in brackets. Aim: under 6000.`,
        header: ['What', 'ms', 'Calls'],
        rows: [['All effects', spread(times), String(report.summary.requests)]],
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import type { RunResult, TimelineEntry } from '../suites/result.ts';
import { delayedInFrontOf } from '../test/network.ts';
import { serve, timed } from './child.ts';
import { grouped, spread, type Table } from './table.ts';

const runs = 3;
const roundTripMs = 100;
const cap = { calls: 60, windowSeconds: 2 };

/** Runs over a slow link, and against a deployment with a low rate limit. Requires a build. */
export async function networkFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  try {
    return [await slowLink(folder), await lowCap(folder)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs through a proxy that delays requests and responses. */
async function slowLink(folder: string): Promise<Table> {
  const config = join(folder, 'slow.json');
  const stub = await serve(['dist/cli/main.js', 'stub', '--port', '0', '--json', '--write-config', config]);
  await using slow = await delayedInFrontOf(Number(new URL(stub.baseUrl).port), roundTripMs);
  const written = JSON.parse(await readFile(config, 'utf8'));
  await writeFile(config, JSON.stringify({ ...written, baseUrl: `http://127.0.0.1:${slow.port}` }));
  const { times, reports } = await timedRuns(folder, ['--config', config]);
  await stub.stop();
  return {
    title: 'A slow link',
    about:
      'This table shows the time of a run with all side effects over a connection with a round-trip time of ' +
      `${roundTripMs} ms. Each median is from ${runs} runs. Target: less than 9,000 ms.`,
    header: ['Run', 'ms', 'Requests'],
    rows: [['All side effects', spread(times), spread(reports.map(({ summary }) => summary.requests))]],
  };
}

/** Runs against a stub with a low rate limit, without a clock, so every wait is real. */
async function lowCap(folder: string): Promise<Table> {
  await using stub = createStub({
    deviation: (behavior) => ({
      ...behavior,
      rate: { ...behavior.rate, limit: () => cap.calls, windowSeconds: cap.windowSeconds },
    }),
  });
  const { baseUrl } = await stub.listen({ port: 0 });
  const config = join(folder, 'capped.json');
  await writeConfiguration(config, stub, baseUrl);
  const allow = ['--allow', 'proposals,writes,spending,throttling'];
  const { reports } = await timedRuns(folder, ['--config', config, ...allow]);
  const [last] = reports;
  if (last === undefined) throw new Error('there was no run');
  const busiest = Math.max(...callsServed(last.timeline).values());
  const windows = Math.ceil(busiest / cap.calls);
  // The story that exhausts the rate limit of a key waits for one more window after all other requests.
  const necessaryMs = (windows - 1 + 1) * cap.windowSeconds * 1000;
  return {
    title: 'A low rate limit',
    about:
      'This table shows the time of a run that cannot advance the clock, against a stub with a low rate limit. In ' +
      `each window of ${cap.windowSeconds} seconds, the stub serves ${cap.calls} requests per key. The ` +
      `${busiest} requests of the busiest key need ${windows} windows, so this key waits for ${windows - 1} windows ` +
      'to end. The story that exhausts a rate limit then waits for one more window. The required time is therefore ' +
      `${windows} windows. The median is from ${runs} runs. Target: at most 10 % more than the required time.`,
    header: ['Time', 'ms'],
    rows: [
      ['Required', grouped(necessaryMs)],
      ['From the first to the last request of the run', spread(reports.map(({ durationMs }) => durationMs))],
    ],
  };
}

/** Wall times of runs in milliseconds, with their reports. */
async function timedRuns(folder: string, args: readonly string[]): Promise<{ times: number[]; reports: RunResult[] }> {
  const times: number[] = [];
  const reports: RunResult[] = [];
  for (let run = 0; run < runs; run++) {
    const { ms, code } = await timed(['dist/cli/main.js', 'run', ...args, '--out', folder]);
    if (code !== 0) throw new Error(`tck run ${args.join(' ')} exited with code ${code}`);
    times.push(ms);
    reports.push(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')));
  }
  return { times, reports };
}

/** Number of requests without a 429, by credential. */
function callsServed(timeline: readonly TimelineEntry[]): Map<string, number> {
  const served = new Map<string, number>();
  for (const { credential, status } of timeline) {
    if (status !== 429) served.set(credential, (served.get(credential) ?? 0) + 1);
  }
  return served;
}

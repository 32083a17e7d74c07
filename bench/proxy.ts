import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grouped, median, spread, type Table } from './figures.ts';
import { comparedRates, millisecondsEach, rounds, type Sample } from './load.ts';
import { type Served, serve } from './programs.ts';
import { recordedStub } from './stub.ts';

const tools = ['credits.balance', 'schedule.read'];

/** Prints the URL of the proxy and keeps the process running. */
const waiting = 'console.log(JSON.stringify({ baseUrl: process.env.TCK_BASE_URL })); setInterval(() => {}, 1e6)';

/** Added latency and requests per second of `tck proxy` and of a bare proxy. Requires a build. */
export async function proxyFigures(): Promise<Table[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const recorded = await recordedStub(folder.path);
  await recorded.stub.stop();
  const samples = recorded.samples.filter(({ tool }) => tools.includes(tool));
  const bare = await serve(recorded.bareArgs);
  const simple = await serve(['bench/bare.ts', bare.baseUrl]);
  const out = join(folder.path, 'report');
  const command = ['--out', out, '--', process.execPath, '-e', waiting];
  const judging = await serve(['dist/cli/main.js', 'proxy', bare.baseUrl, ...command]);
  const times = await added(bare, [simple, judging], samples);
  const rates = await comparedRates(judging, simple, samples);
  await judging.stop();
  await Promise.all([bare.stop(), simple.stop()]);
  const { summary, trouble } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const problems = trouble.length === 0 ? 'without trouble' : trouble.join('; ');
  return [
    {
      title: 'A proxy: time added',
      about:
        'Milliseconds of a request directly to a server, through a bare `node:http` proxy, and through `tck proxy`. ' +
        `1,000 requests follow one another in each of ${rounds} rounds. Target: \`tck proxy\` adds less than 1 ms.`,
      header: ['Tool', 'Direct', 'Bare proxy', 'tck proxy', 'Added by bare proxy', 'Added by tck proxy'],
      rows: times,
    },
    {
      title: 'A proxy: requests per second',
      about:
        `Over 32 connections, median of ${rounds} rounds. Target: a ratio of at least 0.5. ` +
        `\`tck proxy\` judged ${grouped(summary.requests)} requests, ${problems}.`,
      header: ['Tool', 'tck proxy', 'Bare proxy', 'Ratio'],
      rows: rates,
    },
  ];
}

async function added(bare: Served, proxies: readonly Served[], samples: readonly Sample[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const sample of samples) {
    const measured = [bare, ...proxies].map((server) => ({ server, times: [] as number[] }));
    for (let round = 0; round <= rounds; round++) {
      for (const { server, times } of measured) {
        const each = await millisecondsEach(server, sample);
        if (round > 0) times.push(median(each)); // the first round is a warm-up
      }
    }
    const [direct = Number.NaN, ...others] = measured.map(({ times }) => median(times));
    const more = others.map((time) => (time - direct).toFixed(2));
    rows.push([sample.tool, ...measured.map(({ times }) => spread(times, 2)), ...more]);
  }
  return rows;
}

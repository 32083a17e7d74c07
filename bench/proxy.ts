import { comparedRates, millisecondsEach, rounds, type Sample } from './load.ts';
import { median, type Served, serve, spread, told } from './programs.ts';
import { recordedStub } from './stub.ts';

const tools = ['credits.balance', 'schedule.read'];

/** Prints the URL of the proxy and keeps the process running. */
const waiting = 'console.log(JSON.stringify({ baseUrl: process.env.TCK_BASE_URL })); setInterval(() => {}, 1e6)';

/** Added latency and requests per second of `tck proxy` and of a bare proxy. */
export async function proxyFigures(folder: string): Promise<void> {
  const { stub, samples, bareArgs } = await recordedStub(folder);
  await stub[Symbol.asyncDispose]();
  await using bare = await serve(bareArgs);
  await using simple = await serve(['bench/bare.ts', bare.baseUrl]);
  const command = ['--out', folder, '--', process.execPath, '-e', waiting];
  await using judging = await serve(['dist/cli/main.js', 'proxy', bare.baseUrl, ...command]);
  const used = samples.filter(({ tool }) => tools.includes(tool));
  told(
    'Milliseconds of a request directly to a server, through a bare proxy, and through tck proxy. 1,000 requests ' +
      `follow one another in each of ${rounds} rounds. Target: tck proxy adds less than 1 ms.`,
    await latencies({ direct: bare, 'bare proxy': simple, 'tck proxy': judging }, used),
  );
  told(
    'Requests per second over 32 connections. Target: a ratio of at least 0.5.',
    await comparedRates(judging, simple, used),
  );
}

async function latencies(servers: Readonly<Record<string, Served>>, samples: readonly Sample[]): Promise<object[]> {
  const rows: object[] = [];
  for (const sample of samples) {
    const measured = Object.entries(servers).map(([name, server]) => ({ name, server, times: [] as number[] }));
    for (let round = 0; round <= rounds; round++) {
      for (const { server, times } of measured) {
        const each = await millisecondsEach(server, sample);
        if (round > 0) times.push(median(each)); // the first round is a warm-up
      }
    }
    rows.push({
      tool: sample.tool,
      ...Object.fromEntries(measured.map(({ name, times }) => [name, spread(times, 2)])),
    });
  }
  return rows;
}

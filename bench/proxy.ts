import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, type Served, serve } from './child.ts';
import { comparedRates, millisecondsEach, rounds, type Sample } from './load.ts';
import { answersOf, samplesOf, stubArgs } from './stub.ts';
import { grouped, median, spread, type Table } from './table.ts';

const tools = ['credits.balance', 'schedule.read'];

/** Prints the URL of the proxy and keeps the process running. */
const waiting = 'console.log(JSON.stringify({ baseUrl: process.env.TCK_BASE_URL })); setInterval(() => {}, 1e6)';

/** Added latency and requests per second of `tck proxy` and of a minimal proxy. Requires a build. */
export async function proxyFigures(): Promise<Table[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const folder = temporary.path;
  const answersFile = join(folder, 'answers.json');
  const stub = await serve(stubArgs);
  const samples = samplesOf(stub).filter(({ tool }) => tools.includes(tool));
  await writeFile(answersFile, JSON.stringify(await answersOf(stub, samples)));
  await stub.stop();
  const bare = await serve([join(root, 'bench/bare-server.ts'), answersFile]);
  const simple = await serve([join(root, 'bench/bare-proxy.ts'), bare.baseUrl]);
  const out = join(folder, 'report');
  const command = ['--out', out, '--', process.execPath, '-e', waiting];
  const judging = await serve(['dist/cli/main.js', 'proxy', bare.baseUrl, ...command]);
  const times = await added(bare, simple, judging, samples);
  const perSecond = await rates(simple, judging, samples);
  await judging.stop();
  const { summary, trouble } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const judged =
    `\`tck proxy\` judged ${trouble.length === 0 ? 'all ' : ''}${grouped(summary.requests)} requests of this table ` +
    `and the table above${trouble.length === 0 ? '' : `; ${trouble.join('; ')}`}.`;
  await Promise.all([bare.stop(), simple.stop()]);
  return [times, { ...perSecond, about: `${perSecond.about} ${judged}` }];
}

async function added(bare: Served, simple: Served, judging: Served, samples: readonly Sample[]): Promise<Table> {
  const rows: string[][] = [];
  for (const sample of samples) {
    const measured: [Served, number[]][] = [bare, simple, judging].map((each) => [each, []]);
    for (let round = 0; round <= rounds; round++) {
      for (const [server, times] of measured) {
        const each = await millisecondsEach(new URL(server.baseUrl), sample);
        if (round > 0) times.push(median(each)); // the first round is a warm-up
      }
    }
    const [direct = [], ...proxied] = measured.map(([, times]) => times);
    const more = proxied.map((times) => (median(times) - median(direct)).toFixed(2));
    rows.push([sample.tool, ...[direct, ...proxied].map((times) => spread(times, 2)), ...more]);
  }
  return {
    title: 'A proxy: time added',
    about:
      'This table shows how many milliseconds a request takes when the client sends the request directly to a ' +
      'server, through a bare `node:http` proxy, and through `tck proxy`, which judges the request. The requests ' +
      `follow one another on a single connection. In each of the ${rounds} rounds, the client sends 1,000 requests ` +
      'on each of the three routes. Target: `tck proxy` adds less than 1 ms.',
    header: ['Tool', 'Direct', 'Bare proxy', 'tck proxy', 'Added by bare proxy', 'Added by tck proxy'],
    rows,
  };
}

async function rates(simple: Served, judging: Served, samples: readonly Sample[]): Promise<Table> {
  return {
    title: 'A proxy: requests per second',
    about:
      '`tck proxy`, which judges each request, is compared with a bare `node:http` proxy. The test uses 32 ' +
      `connections. In each of the ${rounds} rounds, each proxy is measured for one second. The ratio is the rate of ` +
      '`tck proxy` divided by the rate of the bare proxy in the same round. The table shows the median of the ' +
      'ratios. Target: a ratio of at least 0.5.',
    header: ['Tool', 'tck proxy', 'Bare proxy', 'Ratio'],
    rows: await comparedRates(judging, simple, samples),
  };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../fixtures/contract/tools.ts';
import { root, type Served, serve } from './child.ts';
import { requestsPerSecond } from './load.ts';
import { median, spread, type Table } from './table.ts';

const rounds = 5;
const starts = 8;
export const stubArgs = ['dist/cli/main.js', 'stub', '--port', '0', '--json', '--rate-limit', '1000000'];
const bareArgs = (answers: string) => [join(root, 'bench/bare-server.ts'), answers];
/** Headers of the connection. */
const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

export interface Sample {
  tool: string;
  path: string;
  key: string;
  body: string;
}

/** Responses per second and startup time of the stub and the minimal server. Requires a build. */
export async function stubFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  const answersFile = join(folder, 'answers.json');
  try {
    const stub = await serve(stubArgs);
    const samples = samplesOf(stub);
    await writeFile(answersFile, JSON.stringify(await answersOf(stub, samples)));
    const bare = await serve(bareArgs(answersFile));
    const silent = await serve([...stubArgs, '--no-journal']);
    const rates = await ratesOf(stub, silent, bare, samples);
    await Promise.all([stub.stop(), silent.stop(), bare.stop()]);
    return [rates, await startUp(answersFile)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function samplesOf({ announced }: Served): Sample[] {
  // The format of the line that `tck stub --json` prints has separate tests.
  const { keys, workspaces } = announced as {
    keys: Record<string, string>;
    workspaces: { slug: string; board: string }[];
  };
  const key = keys.primary ?? '';
  const workspace = workspaces[0]?.slug;
  const bodies: Record<string, object> = {
    'credits.balance': {},
    'library.search': { query: '', workspace },
    'schedule.read': { workspace },
    'images.generate': { board: workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1', workspace },
  };
  return Object.entries(bodies).map(([tool, body]) => ({
    tool,
    path: toolPath(tool),
    key,
    body: JSON.stringify(body),
  }));
}

export async function answersOf(stub: Served, samples: readonly Sample[]): Promise<Record<string, object>> {
  const entries = samples.map(async ({ path, key, body }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${stub.baseUrl}${path}`, { method: 'POST', headers, body });
    const kept = [...answer.headers].filter(([name]) => !ofConnection.includes(name));
    return [path, { headers: Object.fromEntries(kept), body: await answer.text() }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function ratesOf(stub: Served, silent: Served, bare: Served, samples: readonly Sample[]): Promise<Table> {
  const rows: string[][] = [];
  for (const sample of samples) {
    const measured = { stub: [] as number[], silent: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const ofStub = await requestsPerSecond(new URL(stub.baseUrl), sample);
      const ofSilent = await requestsPerSecond(new URL(silent.baseUrl), sample);
      const ofBare = await requestsPerSecond(new URL(bare.baseUrl), sample);
      if (round === 0) continue; // warm-up
      measured.stub.push(ofStub);
      measured.silent.push(ofSilent);
      measured.bare.push(ofBare);
    }
    const ratio = (rates: readonly number[]): string =>
      median(rates.map((rate, round) => rate / (measured.bare[round] ?? Number.NaN))).toFixed(2);
    const { stub: journal, silent: none } = measured;
    rows.push([sample.tool, spread(journal), spread(none), spread(measured.bare), ratio(journal), ratio(none)]);
  }
  return {
    title: 'Requests per second',
    about:
      'The stub, with and without the journal, is compared with a bare `node:http` server that reads and parses the ' +
      `same requests and sends the same bytes. The test uses 32 connections. In each of the ${rounds} rounds, each ` +
      'server is measured for one second. The ratio is the rate of the stub divided by the rate of the bare server ' +
      'in the same round. The table shows the median of the ratios. Targets: a ratio of at least 0.6 with the ' +
      'journal, and at least 0.7 without the journal.',
    header: ['Tool', 'Stub', 'Stub without journal', 'Bare server', 'Ratio', 'Ratio without journal'],
    rows,
  };
}

async function startUp(answersFile: string): Promise<Table> {
  const times = { stub: [] as number[], bare: [] as number[] };
  for (let start = 0; start < starts; start++) {
    for (const [name, args] of [['stub', stubArgs] as const, ['bare', bareArgs(answersFile)] as const]) {
      const server = await serve(args);
      times[name].push(server.readyMs);
      await server.stop();
    }
  }
  return {
    title: 'Start-up',
    about:
      'This table shows the time from the start of the process to the first response. The stub and the bare server ' +
      `start alternately, ${starts} times each. Target: less than 250 ms for the stub.`,
    header: ['Server', 'ms'],
    rows: [
      ['Stub', spread(times.stub)],
      ['Bare server', spread(times.bare)],
    ],
  };
}

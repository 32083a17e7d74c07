import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../fixtures/contract/tools.ts';
import { root, type Served, serve } from './child.ts';
import { comparedRates, requestsPerSecond, rounds, type Sample } from './load.ts';
import { spread, type Table } from './table.ts';

const starts = 8;
export const stubArgs = ['dist/cli/main.js', 'stub', '--port', '0', '--json', '--rate-limit', '1000000'];
const bareArgs = (answers: string) => [join(root, 'bench/bare-server.ts'), answers];
/** Headers of the connection. */
const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Responses per second and startup time of the stub and the minimal server. Requires a build. */
export async function stubFigures(): Promise<Table[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const folder = temporary.path;
  const answersFile = join(folder, 'answers.json');
  const stub = await serve(stubArgs);
  const samples = samplesOf(stub);
  await writeFile(answersFile, JSON.stringify(await answersOf(stub, samples)));
  const bare = await serve(bareArgs(answersFile));
  const rates = await ratesOf(stub, bare, samples);
  const memory = await memoryOf(stub, samples);
  await Promise.all([stub.stop(), bare.stop()]);
  return [rates, await startUp(answersFile), memory];
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

async function ratesOf(stub: Served, bare: Served, samples: readonly Sample[]): Promise<Table> {
  return {
    title: 'Requests per second',
    about:
      'The stub with its journal is compared with a bare `node:http` server that reads and parses the same requests ' +
      `and sends the same bytes, over 32 connections. In each of the ${rounds} rounds, each server is measured for ` +
      'one second. The ratio is the median of the ratios of all rounds. Target: at least 0.5.',
    header: ['Tool', 'Stub', 'Bare server', 'Ratio'],
    rows: await comparedRates(stub, bare, samples),
  };
}

/** Resident memory of the stub after further seconds of load. Requires Linux. */
async function memoryOf(stub: Served, samples: readonly Sample[]): Promise<Table> {
  const rows: string[][] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const sample of samples) await requestsPerSecond(new URL(stub.baseUrl), sample);
    const status = await readFile(`/proc/${stub.pid}/status`, 'utf8');
    rows.push([String(round), String(Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024))]);
  }
  return {
    title: 'Memory of the stub',
    about: `Resident memory after each round of ${samples.length} seconds of load. Target: constant, at most 120 MB.`,
    header: ['Round', 'MB'],
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
      `start alternately, ${starts} times each. Target: at most 500 ms for the stub.`,
    header: ['Server', 'ms'],
    rows: [
      ['Stub', spread(times.stub)],
      ['Bare server', spread(times.bare)],
    ],
  };
}

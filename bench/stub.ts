import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolPath } from '../fixtures/contract/tools.ts';
import { comparedRates, requestsPerSecond, rounds, type Sample } from './load.ts';
import { type Served, serve, spread, told } from './programs.ts';

const starts = 8;
const stubArgs = ['dist/cli/main.js', 'stub', '--port', '0', '--json', '--rate-limit', '1000000'];
/** Headers of the connection. */
const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Responses per second, memory and startup time of the stub, and of a bare server that sends the same bytes. */
export async function stubFigures(folder: string): Promise<void> {
  const { stub, bareArgs, samples } = await recordedStub(folder);
  await using _ = stub;
  await using bare = await serve(bareArgs);
  told(
    'Requests per second over 32 connections. Target: a ratio of at least 0.5.',
    await comparedRates(stub, bare, samples),
  );
  told(
    `Resident memory in MB after each round of ${samples.length} s of load. Target: constant, at most 120 MB.`,
    await memoryOf(stub, samples),
  );
  told(
    `Milliseconds from the start of the process to the first response, ${starts} times. Target: at most 500 ms.`,
    await startUp({ stub: stubArgs, 'bare server': bareArgs }),
  );
}

/** Starts the stub, and records its response to each sample in a file, which a bare server returns. */
export async function recordedStub(folder: string) {
  const stub = await serve(stubArgs);
  const samples = samplesOf(stub);
  const answers: Record<string, object> = {};
  for (const { path, key, body } of samples) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${stub.baseUrl}${path}`, { method: 'POST', headers, body });
    const kept = [...answer.headers].filter(([name]) => !ofConnection.includes(name));
    answers[path] = { headers: Object.fromEntries(kept), body: await answer.text() };
  }
  const file = join(folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  return { stub, samples, bareArgs: ['bench/bare.ts', file] };
}

function samplesOf({ announced }: Served): Sample[] {
  // The format of the line that `tck stub --json` prints has separate tests.
  const { keys, workspaces } = announced as {
    keys: Record<string, string>;
    workspaces: { slug: string; board: string }[];
  };
  const key = keys.primary ?? '';
  const workspace = workspaces[0]?.slug;
  const bodies = {
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

/** Resident memory after further seconds of load. Requires Linux. */
async function memoryOf(stub: Served, samples: readonly Sample[]): Promise<object[]> {
  const rows: object[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const sample of samples) await requestsPerSecond(stub, sample);
    const status = await readFile(`/proc/${stub.pid}/status`, 'utf8');
    rows.push({ round, MB: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024) });
  }
  return rows;
}

/** Starts the servers alternately. */
async function startUp(servers: Record<string, readonly string[]>): Promise<object[]> {
  const measured = Object.entries(servers).map(([name, args]) => ({ name, args, times: [] as number[] }));
  for (let start = 0; start < starts; start++) {
    for (const { args, times } of measured) {
      await using server = await serve(args);
      times.push(server.readyMs);
    }
  }
  return measured.map(({ name, times }) => ({ server: name, ms: spread(times) }));
}

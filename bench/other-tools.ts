/** Measures `tck stub` beside other tools, which npm installs into a temporary folder. Requires Linux and Java. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toolPath } from '../fixtures/contract/tools.ts';
import { createCore } from '../stub/core.ts';
import { root } from './child.ts';
import { requestsPerSecond } from './load.ts';
import { median, tableText } from './table.ts';

const packages = { msw: '3.0.5', '@stoplight/prism-cli': '5.16.0', wiremock: '3.13.2' };
const rounds = 5;
const path = toolPath('credits.balance');
// The same seed gives the same keys.
const key = createCore().keys.primary;

interface Round {
  readonly readyMs: number;
  readonly rate: number;
  readonly residentMb: number;
}

type Measure = () => Promise<Round>;

/** Starts a server on a free port, and measures it until its first response and under load. */
const server =
  (command: (port: number) => readonly string[]): Measure =>
  async () => {
    const port = await freePort();
    const startedAt = performance.now();
    const child = start(command(port), 'ignore');
    const url = new URL(`http://127.0.0.1:${port}`);
    const readyMs = (await firstResponse(new URL(path, url))) - startedAt;
    const request = { path, key, body: '{}' };
    await requestsPerSecond(url, request, { seconds: 5 }); // warm-up, in which a JVM compiles
    const rate = await requestsPerSecond(url, request, { seconds: 2 });
    const residentMb = await residentMbOf(child);
    await stop(child);
    return { readyMs, rate, residentMb };
  };

const inProcess =
  (folder: string, tool: string): Measure =>
  async () => {
    const startedAt = performance.now();
    const child = start([process.execPath, join(root, 'bench/in-process.ts'), folder, tool], 'pipe');
    if (child.stdout === null) throw new Error('the process has no output');
    let readyMs = 0;
    for await (const line of createInterface(child.stdout)) {
      if (line === 'ready') readyMs = performance.now() - startedAt;
      else return { readyMs, ...JSON.parse(line) };
    }
    throw new Error(`${tool} printed no figures`);
  };

function start([program = '', ...args]: readonly string[], output: 'ignore' | 'pipe'): ChildProcess {
  return spawn(program, args, { cwd: root, stdio: ['ignore', output, 'inherit'] });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Returns when a server responded for the first time. */
async function firstResponse(url: URL): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let attempt = 0; attempt < 3000; attempt++) {
    const status = await fetch(url, { method: 'POST', headers, body: '{}' }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no response from ${url}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function residentMbOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function install(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: packages }));
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('the other tools cannot be installed');
  const stubs = join(folder, 'mappings');
  await mkdir(stubs);
  const response = {
    status: 200,
    jsonBody: { ok: true, balance: 100 },
    headers: { 'content-type': 'application/json' },
  };
  await writeFile(join(stubs, 'balance.json'), JSON.stringify({ request: { method: 'POST', url: path }, response }));
}

const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' });
if (status !== 0) throw new Error('there is no build to measure');
const folder = await mkdtemp(join(tmpdir(), 'tck-other-tools-'));
try {
  await install(folder);
  const jar = join(folder, `node_modules/wiremock/build/wiremock-standalone-${packages.wiremock}.jar`);
  const prism = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const openapi = join(root, 'fixtures/contract/openapi.json');
  const main = join(root, 'dist/cli/main.js');
  // The load generator counts on the length of responses.
  const wiremock = ['--root-dir', folder, '--use-chunked-encoding', 'never', '--disable-banner'];
  const tools: Readonly<Record<string, Measure>> = {
    'tck stub': server((port) => [process.execPath, main, 'stub', '--port', `${port}`, '--rate-limit', '1000000']),
    'Prism, `prism mock`': server((port) => [process.execPath, prism, 'mock', openapi, '--port', `${port}`]),
    'WireMock standalone': server((port) => ['java', '-jar', jar, '--port', `${port}`, ...wiremock]),
    '`createStub` in a test': inProcess(folder, 'stub'),
    'MSW in a test': inProcess(folder, 'msw'),
  };
  const measured = new Map<string, Round[]>(Object.keys(tools).map((name) => [name, []]));
  // Rounds alternate between tools, so a busy machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(tools)) measured.get(name)?.push(await measure());
  }
  const middle = (all: readonly Round[], of: keyof Round) => String(Math.round(median(all.map((round) => round[of]))));
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  console.log(
    tableText({
      title: 'Other tools',
      about:
        `${versions.join(', ')}; Node ${process.versions.node}, ${availableParallelism()} cores; ` +
        `medians of ${rounds} rounds.`,
      header: ['Tool', 'First response, ms', 'Requests per second', 'Memory after load, MB'],
      rows: [...measured].map(([name, all]) => [
        name,
        middle(all, 'readyMs'),
        middle(all, 'rate'),
        middle(all, 'residentMb'),
      ]),
    }),
  );
} finally {
  await rm(folder, { recursive: true });
}

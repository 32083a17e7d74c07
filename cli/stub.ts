import { once } from 'node:events';
import { neverMetMessage } from '../stub/faults/queue.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { besideFor, loadMcp, mcpUrlOf } from '../stub/mcp/load.ts';
import { controlOf, inJson, inWords } from '../stub/serve/announce.ts';
import { chooseVariants } from '../stub/variants/conforming/index.ts';
import { time, timeForm } from '../stub/worlds/checked.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Given } from './command-line/declaration.ts';
import { flag, integer, list, text, textOr } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { cannotListen, certificateOf, listening, requireLoopback, trustIn } from './listening.ts';

const options = {
  port: integer('Listen on this port; 0 selects a free one (default: 4010, or a free one with a command)', 0, 65_535),
  ...listening,
  cors: textOr('Allow browser pages of this origin; without an origin, of every origin', '*'),
  tls: flag('Use TLS; openssl generates the certificate'),
  openapi: flag('Serve the OpenAPI description at GET /openapi.json'),
  health: flag('Respond to probes at GET /health'),
  seed: integer('Seed of all random values (default: the seed of --data, or 1)', 0, 2 ** 32 - 1),
  data: text('Start with the workspaces, keys and balances of this file (JSON or YAML)'),
  from: text('Start with the data that this recording shows: a HAR file, a report.json or a journal of the stub'),
  now: text('Start at this time, such as 2027-03-08T09:00:00Z (default: the current time)'),
  defect: list('Violate the specification with these defects, separated by commas; see tck list --defects'),
  variant: list('Differ in these conforming ways, separated by commas; random selects many; see tck list --variants'),
  fault: list('Inject this fault, in JSON; repeat the option for more'),
  profile: text(
    'Start with the faults of this profile: slow-mobile, flaky-gateway, rate-limited, or a file (JSON or YAML)',
  ),
  'rate-limit': integer('Allow each key this many requests a minute', 1, 1_000_000),
  'write-config': text('Write a configuration for tck run to this file, and serve the control plane for its clock'),
  control: flag('Serve the control plane for the clock, faults, sandboxes and more; TCK_CONTROL_TOKEN sets its token'),
  ui: flag('Serve a live page where a person sees requests and approves proposals'),
  mcp: textOr('Offer the tools to agents over MCP at /mcp, or with stdio over standard input and output', 'http'),
  keys: flag('Print the keys of all roles and their workspaces'),
  json: flag('Print base URL, keys and control plane as one line of JSON'),
};

export const command = commandOf({
  name: 'stub',
  options,
  program: 'optional',
  groups: {
    Listening: ['port', 'host', 'allow-remote', 'cors', 'tls', 'openapi', 'health', 'mcp'],
    Behavior: ['seed', 'data', 'from', 'now', 'defect', 'variant', 'fault', 'profile', 'rate-limit'],
    Control: ['control', 'ui', 'write-config', 'keys', 'json'],
  },
  exits: { 0: 'stopped; with a command, its exit code', 1: 'a fault of --fault matched no request', 2: 'wrong usage' },
  examples: [
    ['tck stub', 'Serve until Ctrl-C; print a key for every role'],
    ['tck stub -- npm test', 'Run a command with base URL and keys in its environment'],
    ['tck stub --mcp stdio', 'Serve an agent that starts this command as an MCP server'],
    [
      `tck stub --fault '{"tool": "schedule.read", "status": 503}' -- npm test`,
      'Respond to one schedule.read with 503; fail if the tests send none',
    ],
  ],

  run: (given, { stdout, stderr, env, signal, setV8Flags }) => {
    // Requests leave garbage. V8 would let it grow to twice the memory before it collects it.
    setV8Flags('--heap-growing-percent=20', '--semi-space-growth-factor=1');
    const to = (stream: typeof stdout) => (line: string) => stream.write(`${line}\n`);
    const io = { print: to(stdout), warn: to(stderr), stop: signal };
    return serveStub({ ...given, controlToken: env.TCK_CONTROL_TOKEN }, io);
  },
});

export interface ServeOptions extends Partial<Given<typeof options>> {
  /** Token of the control plane (default: random). */
  readonly controlToken?: string | undefined;
}

interface ServeIo {
  /** Prints a line. The text has no line break at its end. */
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
  readonly warn?: (line: string) => void;
}

export const defaultPort = 4010;

/**
 * Runs `tck stub` until it is stopped. Resolves with the exit code: 0, or that of the command. Rejects with a
 * UsageError for invalid options, an unusable address or an inaccessible file.
 */
export async function serveStub(options: ServeOptions, io: ServeIo): Promise<number> {
  const { host = '127.0.0.1', rateLimit, now, writeConfig, program = [] } = options;
  const { json = false, ui = false, openapi = false, health = false } = options;
  if (now !== undefined && !time.safeParse(now).success)
    throw new UsageError(`--now: expected ${timeForm}, got '${now}'`);
  if (options.mcp !== undefined && options.mcp !== 'http' && options.mcp !== 'stdio') {
    throw new UsageError(`--mcp: expected http or stdio, got '${options.mcp}'`);
  }
  const port = options.port ?? (program.length === 0 && options.mcp !== 'stdio' ? defaultPort : 0);
  if (options.allowRemote !== true) requireLoopback(host);
  if (json && program.length > 0)
    throw new UsageError('--json: expected without a command, which finds the same in its environment');
  if (options.mcp === 'stdio' && (json || program.length > 0))
    throw new UsageError('--mcp stdio: expected without a command and without --json; standard output is for MCP');
  const mcp = options.mcp === undefined ? undefined : await loadMcp();
  const { warn = io.print } = io;
  const { data, profile } = await filesOf(options, warn);
  const seed = options.seed ?? data?.seed ?? 1;
  const variants = chooseVariants(options.variant ?? [], seed);
  await using certificate = await certificateOf(options, host);
  const isControlled = options.control === true || writeConfig !== undefined || ui;
  const { controlToken: token } = options;
  if (isControlled && token !== undefined && !/^[\x21-\x7e]{12,}$/.test(token))
    throw new UsageError('TCK_CONTROL_TOKEN: expected at least 12 visible characters');
  await using stub = createStub({
    seed,
    data,
    profile,
    control: isControlled && token !== undefined ? { token } : isControlled,
    variants,
    defects: options.defect?.flatMap((ids) => ids.split(',')),
    cors: originOf(options.cors),
    rateLimit,
    now,
    ...(ui && { page: (await import('../stub/page/page.ts')).page }),
    ...((openapi || health) && { around: (await import('../stub/serve/files.ts')).extras({ openapi, health }) }),
    onFault: (error) => warn(`Internal error of the stub: ${error instanceof Error ? error.stack : error}`),
  });
  addFaults(stub, options.fault);
  const beside = mcp === undefined ? undefined : besideFor(mcp, stub);
  const { baseUrl } = await stub.listen({ port, host, tls: certificate, beside }).catch((error: unknown) => {
    throw cannotListen(error, port, host);
  });
  // The modules for optional features are loaded on demand.
  if (writeConfig !== undefined) {
    const { writeConfiguration } = await import('../stub/serve/configuration.ts');
    await writeConfiguration(writeConfig, stub, baseUrl);
  }
  const chosen = { keys: options.keys, profile: options.profile, ca: certificate?.file, mcp: mcp !== undefined };
  const started = { stub, baseUrl, variants, writeConfig, ui, ...chosen };
  if (program.length > 0) {
    const { environmentOf, runCommand } = await import('../stub/serve/command.ts');
    const env = {
      ...environmentOf(stub, baseUrl, controlOf(started)),
      ...trustIn(certificate),
      ...(mcp === undefined ? {} : { TCK_MCP_URL: mcpUrlOf(baseUrl) }),
    };
    // Awaited here, because the stub is disposed when this function returns.
    const code = await runCommand({ command: program, env, stop: io.stop });
    return failedIfUnmet(stub, code, io);
  }
  if (mcp !== undefined && options.mcp === 'stdio') {
    io.warn?.(inWords(started));
    await mcp.serveStdio(stub, stub.keys.primary, io.stop);
    return 0;
  }
  io.print(json ? JSON.stringify(inJson(started)) : inWords(started));
  if (!io.stop.aborted) await once(io.stop, 'abort');
  return 0;
}

/** The data of a file or of a recording, and the profile. They are loaded on demand, because few runs need them. */
async function filesOf({ data, from, profile }: ServeOptions, print: (line: string) => void) {
  if (data !== undefined && from !== undefined) throw new UsageError('--from: expected without --data');
  const { readData, readProfile } = await import('../stub/serve/files.ts');
  const recorded =
    from === undefined ? undefined : await (await import('../stub/serve/recording.ts')).readRecordedData(from);
  if (recorded !== undefined) print(recorded.found);
  return {
    data: data === undefined ? recorded?.data : await readData(data),
    profile: profile === undefined ? undefined : await readProfile(profile),
  };
}

function addFaults(stub: Stub, given: readonly string[] = []): void {
  for (const text of given) {
    try {
      stub.faults.add(JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      throw new UsageError(`--fault: ${error.message}: ${text}`);
    }
  }
}

function failedIfUnmet({ faults }: Stub, code: number, { warn }: ServeIo): number {
  const never = faults.neverMet();
  if (code !== 0 || never.length === 0) return code;
  warn?.(`tck: ${neverMetMessage(never)}`);
  return 1;
}

function originOf(given: string | undefined): string | undefined {
  if (given === undefined || given === '*' || (URL.canParse(given) && new URL(given).origin === given)) return given;
  throw new UsageError(`--cors: expected an origin such as http://localhost:5173, got '${given}'`);
}

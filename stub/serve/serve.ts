import { isRecord } from '../../suites/json.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { createCore, type StubCore, type StubOptions } from '../core.ts';
import { neverMetMessage } from '../faults/queue.ts';
import { besideFor, loadMcp, mcpUrlOf } from '../mcp/load.ts';
import type { Beside, Listening } from '../transports/http.ts';
import { chooseVariants } from '../variants/conforming/index.ts';
import { deviationOf } from '../variants/index.ts';
import type { WorldData } from '../world/data.ts';
import { isTime, timeForm } from '../worlds/members.ts';
import { controlOf, inJson, inWords } from './announce.ts';
import type { Certificate } from './certificate.ts';

/** Command-line options of `tck stub`. */
export interface ServeOptions {
  /** Default: 4010, or any free port with a command. 0 selects any free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  readonly seed?: number | undefined;
  /** Start time of the clock. */
  readonly now?: string | undefined;
  /** File with data that replaces parts of the seeded content. */
  readonly data?: string | undefined;
  /** Recording whose data replaces parts of the seeded content. */
  readonly from?: string | undefined;
  /** Name of a profile, or path of a profile file. */
  readonly profile?: string | undefined;
  /** Requests per minute for each key. */
  readonly rateLimit?: number | undefined;
  /** File for a configuration of `tck run`; enables the control plane. */
  readonly writeConfig?: string | undefined;
  readonly control?: boolean | undefined;
  /** Token of the control plane (default: random). */
  readonly controlToken?: string | undefined;
  /** Serves the page; enables the control plane. */
  readonly ui?: boolean | undefined;
  /** Allows a host that other machines can reach. */
  readonly allowRemote?: boolean | undefined;
  /** Program and arguments of a command. The stub stops when the command exits. */
  readonly command?: readonly string[] | undefined;
  /** Origin whose pages can call the stub; `*` for all origins. */
  readonly cors?: string | undefined;
  /** Uses TLS with a generated certificate. */
  readonly tls?: boolean | undefined;
  /** Serves the API description at `/openapi.json`. */
  readonly openapi?: boolean | undefined;
  readonly health?: boolean | undefined;
  /** Offers the tools over the Model Context Protocol, at `/mcp` or over standard input and output. */
  readonly mcp?: 'http' | 'stdio' | undefined;
  /** Prints the keys of all roles. */
  readonly keys?: boolean | undefined;
  /** Prints one line of JSON instead of text. */
  readonly json?: boolean | undefined;
  /** Faults as JSON. The exit code is 1 if the command succeeds and a fault matched no request. */
  readonly fault?: readonly string[] | undefined;
  /** Names of variants, or `random`. Each item can contain several names, separated by commas. */
  readonly variant?: readonly string[] | undefined;
  /** IDs of defects. Each item can contain several IDs, separated by commas. */
  readonly defect?: readonly string[] | undefined;
}

/** Output and stop signal of the stub. */
export interface ServeIo {
  /** Prints a line. The text has no line break at its end. */
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
  /** Prints a line to standard error. */
  readonly warn?: (line: string) => void;
}

export const defaultPort = 4010;

/**
 * Runs `tck stub` until it is stopped. Resolves with the exit code: 0, or that of the command. Rejects with a
 * UsageError for invalid options, an unusable address or an inaccessible file.
 */
export async function serveStub(options: ServeOptions, io: ServeIo): Promise<number> {
  const { host = '127.0.0.1', rateLimit, now, writeConfig, json = false, ui = false, command = [] } = options;
  if (now !== undefined && !isTime(now)) throw new UsageError(`--now: expected ${timeForm}, got '${now}'`);
  const port = options.port ?? (command.length === 0 && options.mcp !== 'stdio' ? defaultPort : 0);
  if (options.allowRemote !== true) requireLoopback(host);
  if (json && command.length > 0)
    throw new UsageError('--json: expected without a command, which finds the same in its environment');
  if (options.mcp === 'stdio' && (json || command.length > 0))
    throw new UsageError('--mcp stdio: expected without a command and without --json; standard output is for MCP');
  const mcp = options.mcp === undefined ? undefined : await loadMcp();
  const { warn = io.print } = io;
  const data = await dataOf(options, warn);
  const seed = options.seed ?? data?.seed ?? 1;
  const profile =
    options.profile === undefined ? undefined : await (await import('./files.ts')).readProfile(options.profile);
  const variants = chooseVariants(options.variant ?? [], seed);
  const defects = (options.defect ?? []).flatMap((ids) => ids.split(','));
  await using certificate = await certificateOf(options, host);
  const control = options.control === true || writeConfig !== undefined || ui;
  const { controlToken } = options;
  if (control && controlToken !== undefined && !/^[\x21-\x7e]{12,}$/.test(controlToken)) {
    throw new UsageError('TCK_CONTROL_TOKEN: expected at least 12 visible characters');
  }
  await using stub = createCore({
    seed,
    data,
    profile,
    control: control && controlToken !== undefined ? { token: controlToken } : control,
    deviation: deviationOf({ seed, variants, defects }),
    deviate: deviationOf,
    ...(ui ? { page: (await import('../page/page.ts')).page } : {}),
    ...(options.cors === undefined ? {} : { cors: originOf(options.cors) }),
    ...(await extrasOf(options)),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    now,
    onFault: (error) => warn(`Internal error of the stub: ${error instanceof Error ? error.stack : error}`),
  });
  addFaults(stub, options.fault);
  const beside = mcp === undefined ? undefined : besideFor(mcp, stub);
  const { baseUrl } = await listenOrExplain(stub, { port, host, tls: certificate, beside });
  // The modules for optional features are loaded on demand.
  if (writeConfig !== undefined) {
    const { writeConfiguration } = await import('./configuration.ts');
    await writeConfiguration(writeConfig, stub, baseUrl);
  }
  const started = {
    stub,
    baseUrl,
    variants,
    writeConfig,
    keys: options.keys,
    ui,
    profile: options.profile,
    ca: certificate?.file,
    mcp: mcp !== undefined,
  };
  if (command.length > 0) {
    const { environmentOf, runCommand } = await import('./command.ts');
    const env = {
      ...environmentOf(stub, baseUrl, controlOf(started)),
      ...trustIn(certificate),
      ...(mcp === undefined ? {} : { TCK_MCP_URL: mcpUrlOf(baseUrl) }),
    };
    // Awaited here, because the stub is disposed when this function returns.
    const code = await runCommand({ command, env, stop: io.stop });
    return failedIfUnmet(stub, code, io);
  }
  if (mcp !== undefined && options.mcp === 'stdio') {
    io.warn?.(inWords(started));
    await mcp.serveStdio(stub, stub.keys.primary, io.stop);
    return 0;
  }
  io.print(json ? JSON.stringify(inJson(started)) : inWords(started));
  if (!io.stop.aborted) await new Promise((resolve) => io.stop.addEventListener('abort', resolve, { once: true }));
  return 0;
}

/** The data of a file or of a recording. Both are loaded on demand, because few runs need them. */
async function dataOf({ data, from }: ServeOptions, print: (line: string) => void): Promise<WorldData | undefined> {
  if (data !== undefined && from !== undefined) throw new UsageError('--from: expected without --data');
  if (data !== undefined) return (await import('./files.ts')).readData(data);
  if (from === undefined) return undefined;
  const recorded = await (await import('./recording.ts')).readRecordedData(from);
  print(recorded.found);
  return recorded.data;
}

function addFaults(stub: StubCore, given: readonly string[] = []): void {
  for (const text of given) {
    try {
      const fault: unknown = JSON.parse(text);
      if (!isRecord(fault)) throw new SyntaxError('expected a JSON object');
      stub.faults.add(fault);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) {
        throw new UsageError(`--fault: ${error.message}: ${text}`);
      }
      throw error;
    }
  }
}

function failedIfUnmet({ faults }: StubCore, code: number, { warn }: ServeIo): number {
  const never = faults.neverMet();
  if (code !== 0 || never.length === 0) return code;
  warn?.(`tck: ${neverMetMessage(never)}`);
  return 1;
}

/** Throws a UsageError for a host that other machines can reach: they could use the keys of the stub or proxy. */
export function requireLoopback(host: string): void {
  if (host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)) return;
  throw new UsageError(`--host: other machines reach ${host}; add --allow-remote to accept that`);
}

/** Returns whether an error concerns the certificate or the key. */
const isOfTls = (error: unknown) =>
  error instanceof Error && 'code' in error && /^ERR_(?:OSSL|TLS)/.test(String(error.code));

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'unknown host',
};

/**
 * Returns the certificate for TLS, or undefined for plain HTTP. Rejects with a UsageError if there is no usable
 * certificate.
 */
export async function certificateOf(
  { tls, tlsCert, tlsKey }: Pick<ServeOptions, 'tls'> & { tlsCert?: string | undefined; tlsKey?: string | undefined },
  host: string,
): Promise<Certificate | undefined> {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new UsageError('--tls-cert and --tls-key go together');
  if (tls !== true && tlsCert === undefined) return undefined;
  const { makeCertificate, readCertificate } = await import('./certificate.ts');
  return tlsCert === undefined || tlsKey === undefined ? makeCertificate(host) : readCertificate(tlsCert, tlsKey);
}

/** Returns the environment variables that make a command trust the certificate. Node.js reads NODE_EXTRA_CA_CERTS. */
export function trustIn(certificate: Certificate | undefined): Record<string, string> {
  return certificate === undefined ? {} : { TCK_CA_FILE: certificate.file, NODE_EXTRA_CA_CERTS: certificate.file };
}

function originOf(given: string): string {
  if (given === '*' || (URL.canParse(given) && new URL(given).origin === given)) return given;
  throw new UsageError(`--cors: expected an origin such as http://localhost:5173, got '${given}'`);
}

async function extrasOf({ openapi = false, health = false }: ServeOptions): Promise<Pick<StubOptions, 'around'>> {
  if (!openapi && !health) return {};
  const { withExtras } = await import('./files.ts');
  return { around: (handle, main) => withExtras(handle, { openapi, health }, main) };
}

async function listenOrExplain(
  stub: StubCore,
  where: { port: number; host: string; tls: Certificate | undefined; beside: Beside | undefined },
): Promise<Listening & { baseUrl: string }> {
  try {
    return await stub.listen(where);
  } catch (error) {
    throw cannotListen(error, where.port, where.host);
  }
}

/** Returns a UsageError that explains why a server cannot listen. */
export function cannotListen(error: unknown, port: number, host: string): UsageError {
  if (isOfTls(error)) return new UsageError(`--tls-cert: ${(error as Error).message}`);
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return new UsageError(`cannot listen on ${host}, port ${port}: ${reasons[code] ?? (error as Error).message}`);
}

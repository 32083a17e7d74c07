import { isRecord } from '../../suites/json.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { createCore, type StubCore, type StubOptions } from '../core.ts';
import { neverMetMessage } from '../faults/queue.ts';
import type { Listening } from '../transports/http.ts';
import { isTime, timeForm } from '../worlds/members.ts';
import { controlOf, inJson, inWords } from './announce.ts';
import type { Certificate } from './certificate.ts';
import { keepSmall } from './memory.ts';

/** Options of `tck stub`, as they come from the command line. */
export interface ServeOptions {
  /** 4010 by default, or any free one for a command; 0 takes any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  readonly seed?: number | undefined;
  /** The time at which the clock begins. */
  readonly now?: string | undefined;
  /** Requests a minute for each key. */
  readonly rateLimit?: number | undefined;
  /** File to write a configuration for `tck run` to; switches the control plane on. */
  readonly writeConfig?: string | undefined;
  readonly control?: boolean | undefined;
  /** Opens the control plane; made on the spot unless given. */
  readonly controlToken?: string | undefined;
  /** Whether calls are written down; they are unless told otherwise. */
  readonly journal?: boolean | undefined;
  /** Serves the page; switches the control plane on. */
  readonly ui?: boolean | undefined;
  /** Lets the host be one that other machines reach. */
  readonly allowRemote?: boolean | undefined;
  /** A program with its arguments: runs while the stub listens, on a free port unless one is named, and ends it. */
  readonly command?: readonly string[] | undefined;
  /** Lets pages of this origin call the stub; `*` for every origin. */
  readonly cors?: string | undefined;
  /** Speaks TLS, with a certificate made on the spot unless one is given. */
  readonly tls?: boolean | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** Serves the description of the API at `/openapi.json`, and a page for probes at `/health`. */
  readonly openapi?: boolean | undefined;
  readonly health?: boolean | undefined;
  /** Serves a page that shows the description and calls the stub, at `/viewer`. */
  readonly viewer?: boolean | undefined;
  /** One line of JSON instead of words. */
  readonly json?: boolean | undefined;
  /** Faults, each as JSON. One that the command's requests never meet fails a command that ends well. */
  readonly fault?: readonly string[] | undefined;
  /** Names of variants, or `random`; several may stand in one text, with commas between them. */
  readonly variant?: readonly string[] | undefined;
  /** Ids of defects; several may stand in one text, with commas between them. */
  readonly defect?: readonly string[] | undefined;
}

/** Where the stub speaks, and what stops it. */
export interface ServeIo {
  /** Prints a line, without its end. */
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
  /** Prints a line beside what a command prints. */
  readonly warn?: (line: string) => void;
}

export const defaultPort = 4010;

/**
 * The body of `tck stub`: serves until it is told to stop, and resolves with the exit code: 0, or that of the command.
 * Rejects with a UsageError for options that make no sense and for an address or a file that cannot be had.
 */
export async function serveStub(options: ServeOptions, io: ServeIo): Promise<number> {
  const { host = '127.0.0.1', seed = 1, rateLimit, now, writeConfig, json = false, ui = false, command = [] } = options;
  if (now !== undefined && !isTime(now)) throw new UsageError(`--now: expected ${timeForm}, got '${now}'`);
  const port = options.port ?? (command.length === 0 ? defaultPort : 0);
  if (options.allowRemote !== true) requireLoopback(host);
  if (json && command.length > 0)
    throw new UsageError('--json: expected without a command, which finds the same in its environment');
  const { variants, deviation } = await chooseDeviation(options, seed);
  await using certificate = await certificateOf(options, host);
  const control = options.control === true || writeConfig !== undefined || ui;
  const { controlToken } = options;
  if (control && controlToken !== undefined && !/^[\x21-\x7e]{12,}$/.test(controlToken)) {
    throw new UsageError('TCK_CONTROL_TOKEN: expected at least 12 visible characters');
  }
  await using stub = createCore(
    {
      seed,
      control: control && controlToken !== undefined ? { token: controlToken } : control,
      ...(deviation === undefined ? {} : { deviation }),
      ...(control ? await forControl(ui) : {}),
      journal: options.journal ?? true,
      ...(options.cors === undefined ? {} : { cors: originOf(options.cors) }),
      ...(await extrasOf(options)),
      onWorlds: keepSmall,
      ...(rateLimit === undefined ? {} : { rateLimit }),
      now,
      onFault: (error) => io.print(`Internal error of the stub: ${error instanceof Error ? error.stack : error}`),
    },
    control ? (await import('../control/control.ts')).createControl : undefined,
  );
  addFaults(stub, options.fault);
  const { baseUrl } = await listenOrExplain(stub, { port, host, tls: certificate });
  keepSmall(0);
  // What follows a start that most stubs have is loaded by those that have it.
  if (writeConfig !== undefined) {
    const { writeConfiguration } = await import('./configuration.ts');
    await writeConfiguration(writeConfig, stub, baseUrl);
  }
  const started = { stub, baseUrl, variants, writeConfig, ui, viewer: options.viewer ?? false, ca: certificate?.file };
  if (command.length > 0) {
    const { environmentOf, runCommand } = await import('./command.ts');
    const env = { ...environmentOf(stub, baseUrl, controlOf(started)), ...trustIn(certificate) };
    // Awaited here: the stub ends when this function does.
    return failedIfUnmet(stub, await runCommand({ command, env, stop: io.stop }), io);
  }
  io.print(json ? JSON.stringify(inJson(started)) : inWords(started));
  if (!io.stop.aborted) await new Promise((resolve) => io.stop.addEventListener('abort', resolve, { once: true }));
  return 0;
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

/**
 * How the stub deviates. What knows of deviations is loaded when there are any: most stubs have none, and start sooner.
 */
async function chooseDeviation({ variant = [], defect = [] }: ServeOptions, seed: number) {
  if (variant.length + defect.length === 0) return { variants: [] };
  const [{ chooseVariants, variantOf }, { deviationOf }] = await Promise.all([
    import('../variants/conforming/index.ts'),
    import('../variants/index.ts'),
  ]);
  const names = chooseVariants(variant, seed);
  const defects = defect.flatMap((ids) => ids.split(','));
  const variants = names.map((name) => [name, variantOf(name)] as const);
  return { variants, deviation: deviationOf({ seed, variants: names, defects }) };
}

async function forControl(ui: boolean): Promise<Pick<StubOptions, 'deviate' | 'page'>> {
  const { deviationOf: deviate } = await import('../variants/index.ts');
  return ui ? { deviate, page: (await import('../page/page.ts')).page } : { deviate };
}

/** Throws a UsageError for an address that other machines reach: they could use the keys of a stub, and a proxy. */
export function requireLoopback(host: string): void {
  if (host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)) return;
  throw new UsageError(`--host: other machines reach ${host}; add --allow-remote to accept that`);
}

/** A certificate or a key that cannot be used. */
const isOfTls = (error: unknown) =>
  error instanceof Error && 'code' in error && /^ERR_(?:OSSL|TLS)/.test(String(error.code));

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'unknown host',
};

/** What a server that speaks TLS has; undefined for plain HTTP. Throws a UsageError where it cannot be had. */
export async function certificateOf(
  { tls, tlsCert, tlsKey }: Pick<ServeOptions, 'tls' | 'tlsCert' | 'tlsKey'>,
  host: string,
): Promise<Certificate | undefined> {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new UsageError('--tls-cert and --tls-key go together');
  if (tls !== true && tlsCert === undefined) return undefined;
  const { makeCertificate, readCertificate } = await import('./certificate.ts');
  return tlsCert === undefined || tlsKey === undefined ? makeCertificate(host) : readCertificate(tlsCert, tlsKey);
}

/** Where a command finds the certificate that it is to trust; Node.js looks there by itself. */
export function trustIn(certificate: Certificate | undefined): Record<string, string> {
  return certificate === undefined ? {} : { TCK_CA_FILE: certificate.file, NODE_EXTRA_CA_CERTS: certificate.file };
}

function originOf(given: string): string {
  if (given === '*' || (URL.canParse(given) && new URL(given).origin === given)) return given;
  throw new UsageError(`--cors: expected an origin such as http://localhost:5173, got '${given}'`);
}

async function extrasOf({
  openapi = false,
  health = false,
  viewer,
}: ServeOptions): Promise<Pick<StubOptions, 'around'>> {
  if (!openapi && !health && viewer !== true) return {};
  const { withExtras } = await import('./extras.ts');
  const files = viewer === true ? await (await import('./viewer.ts')).loadViewer() : undefined;
  return { around: (handle, main) => withExtras(handle, { openapi, health, viewer: files }, main) };
}

async function listenOrExplain(
  stub: StubCore,
  { port, host, tls }: { port: number; host: string; tls: Certificate | undefined },
): Promise<Listening & { baseUrl: string }> {
  try {
    return await stub.listen({ port, host, tls });
  } catch (error) {
    throw cannotListen(error, port, host);
  }
}

/** Why a server cannot listen, for whoever chose the address. */
export function cannotListen(error: unknown, port: number, host: string): UsageError {
  if (isOfTls(error)) return new UsageError(`--tls-cert: ${(error as Error).message}`);
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return new UsageError(`cannot listen on ${host}, port ${port}: ${reasons[code] ?? (error as Error).message}`);
}

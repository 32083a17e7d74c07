import { type DialectName, dialectOf } from '../fixtures/dialects.ts';
import { roleMeanings } from '../fixtures/roles.ts';
import { UsageError } from '../fixtures/usage-error.ts';
import { writeConfiguration } from './configuration.ts';
import { createCore, type StubCore } from './core.ts';
import { combineDefects } from './defects/index.ts';
import { combineDialects, type DialectOptions, dialectsOf } from './dialects/index.ts';
import type { Listening } from './http.ts';

/** Options of `tck stub`, as they come from the command line. */
export interface ServeOptions extends DialectOptions {
  /** 4010 by default; 0 takes any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  readonly seed?: number | undefined;
  /** Calls a minute for each key. */
  readonly rateCap?: number | undefined;
  /** File to write a configuration for `tck run` to; switches the control plane on. */
  readonly writeConfig?: string | undefined;
  readonly control?: boolean | undefined;
  /** One line of JSON instead of words. */
  readonly json?: boolean | undefined;
  /** Ids of defects to serve with; several may stand in one text, with commas between them. */
  readonly defect?: readonly string[] | undefined;
}

/** Where the stub speaks, and what stops it. */
export interface ServeIo {
  /** Prints a line, without its end. */
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
}

export const defaultPort = 4010;

/**
 * The body of `tck stub`: serves until it is told to stop, and resolves with the exit code, 0. Rejects with a UsageError for options that
 * make no sense and for an address or a file that cannot be had.
 */
export async function serveStub(options: ServeOptions, io: ServeIo): Promise<number> {
  const { port = defaultPort, host = '127.0.0.1', seed = 1, rateCap, writeConfig, json = false } = options;
  requireWhole('--port', port, 0, 65_535);
  requireWhole('--seed', seed, 0, 2 ** 32 - 1);
  if (rateCap !== undefined) requireWhole('--rate-cap', rateCap, 1, Number.MAX_SAFE_INTEGER);
  const dialects = dialectsOf(options, seed);
  const deviate = combineDefects((options.defect ?? []).flatMap((ids) => ids.split(',')));
  await using stub = createCore({
    seed,
    control: options.control === true || writeConfig !== undefined,
    rules: (conforming) => deviate(combineDialects(dialects)(conforming)),
    ...(rateCap === undefined ? {} : { rateCap }),
    onFault: (error) => io.print(`The stub itself is at fault: ${error instanceof Error ? error.stack : error}`),
  });
  const { baseUrl } = await listenOrExplain(stub, port, host);
  if (writeConfig !== undefined) await writeConfiguration(writeConfig, stub, baseUrl);
  io.print(json ? JSON.stringify(inJson(stub, baseUrl, dialects)) : inWords(stub, baseUrl, dialects, writeConfig));
  if (!io.stop.aborted) await new Promise((resolve) => io.stop.addEventListener('abort', resolve, { once: true }));
  return 0;
}

function requireWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`${option} takes a whole number ${range}, not ${value}`);
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no host of that name',
};

async function listenOrExplain(stub: StubCore, port: number, host: string): Promise<Listening & { baseUrl: string }> {
  try {
    return await stub.listen({ port, host });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${reasons[code] ?? (error as Error).message}`);
  }
}

function inJson(
  { keys: all, roles, workspaces, control }: StubCore,
  baseUrl: string,
  dialects: readonly DialectName[],
): object {
  const keys = Object.fromEntries(roles.map((role) => [role, all[role]]));
  const clock =
    control === null
      ? null
      : { advance: { url: new URL(control.path, baseUrl).href, headers: { [control.header]: control.token } } };
  return { baseUrl, keys, workspaces, clock, ...(dialects.length === 0 ? {} : { dialects }) };
}

function inWords(
  stub: StubCore,
  baseUrl: string,
  dialects: readonly DialectName[],
  writeConfig: string | undefined,
): string {
  const { keys, roles, workspaces, otherAccount, control } = stub;
  const row = (name: string, value: string, note = '') => `  ${name.padEnd(18)}${value}  ${note}`.trimEnd();
  const lines = [
    `Listening at ${baseUrl}`,
    '',
    'Keys, by the role they play:',
    ...roles.map((role) => row(role, keys[role], roleMeanings[role])),
    '',
    'Workspaces, each with one of its boards:',
    ...workspaces.map(({ slug, board }) => row(slug, board)),
    row(otherAccount.slug, otherAccount.board, 'reached by otherAccount only'),
  ];
  if (dialects.length > 0) {
    lines.push('', 'Dialects, all of them conforming:', ...dialects.map((name) => row(name, dialectOf(name).what)));
  }
  if (control !== null) {
    lines.push('', 'The clock moves with:');
    lines.push(
      `  curl -d '{"seconds": 60}' -H '${control.header}: ${control.token}' ${new URL(control.path, baseUrl).href}`,
    );
  }
  if (writeConfig !== undefined) lines.push('', `Ready for: tck run --config ${writeConfig}`);
  lines.push('', 'Stop it with Ctrl-C.');
  return lines.join('\n');
}

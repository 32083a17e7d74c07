import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientRun, History } from '../../suites/history/history.ts';
import type { Effects } from '../../suites/recorded/reported-exchanges.ts';
import { togetherMs } from '../../suites/situations/acquaintance.ts';
import { createControlled } from '../controlled.ts';
import type { StubCore } from '../core.ts';
import { createRedactor } from '../journal/redactor.ts';
import { besideFor, loadMcp, mcpUrlOf } from '../mcp/load.ts';
import { controlOf } from '../serve/announce.ts';
import { environmentOf, runCommand } from '../serve/command.ts';
import type { StubResponse } from '../server/handle.ts';
import { changing } from '../variants/changes/responses.ts';
import { together } from '../variants/deviation.ts';
import { deviationOf } from '../variants/index.ts';
import { listenElsewhere } from './elsewhere.ts';
import { Output } from './output.ts';
import { answerFor, type PersonAnswers, passOn } from './person.ts';
import type { Scenario } from './scenarios.ts';

export interface PlayOptions {
  /** The client's program and arguments. */
  readonly command: readonly string[];
  readonly seed: number;
  /** Time limit of one run of the client. */
  readonly timeoutSeconds: number;
  /** Whether a person decides over the control plane. Confirmations and choices without a decision then fail. */
  readonly attended: boolean;
  /** Source of the person's answers. `ask` gives the client the terminal, where a real person answers. */
  readonly person?: PersonAnswers | 'ask' | Desk | undefined;
  /** Called when the stub listens, before the client starts. */
  readonly onBegin?: ((scenario: Scenario) => void) | undefined;
  /** Number of requests that the client sent in the plain run. */
  readonly requests?: number;
  /** Whether the stub also offers the tools over the Model Context Protocol. */
  readonly mcp?: boolean | undefined;
  readonly stop: AbortSignal;
}

/** The page where a person answers. All scenarios use the same address. */
export interface Desk {
  readonly page: StubResponse;
  readonly url: string;
  readonly port: number;
  readonly token: string;
}

/** The history of a client in one scenario. */
export interface Played {
  readonly name: string;
  readonly history: History;
  readonly run: ClientRun;
  /** What the sandbox did, also for requests whose responses were lost. */
  readonly effects: Effects;
}

/** Wait time for the output after the client exits. Its child processes may keep the output open. */
const flushMs = 200;

/** Runs the client once, with a new stub. Rejects with a UsageError if the command cannot be started. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Played> {
  const { seed, command, attended } = options;
  const deviation = together(deviationOf({ seed, variants: scenario.variants }), unhurried);
  const size = scenario.size === undefined ? {} : { size: scenario.size };
  const desk = isDesk(options.person) ? options.person : undefined;
  const control = desk === undefined ? { control: true } : { control: { token: desk.token }, page: desk.page };
  await using stub = createControlled({ seed, deviation, ...control, ...size });
  await using elsewhere = await listenElsewhere();
  const mcp = options.mcp === true ? await loadMcp() : undefined;
  const { baseUrl } = await stub.listen({
    ...(desk === undefined ? {} : { port: desk.port }),
    ...(mcp === undefined ? {} : { beside: besideFor(mcp, stub) }),
  });
  scenario.prepare(stub, elsewhere.origin, options.requests ?? 0);
  options.onBegin?.(scenario);
  const isAsked = options.person === 'ask';
  const person =
    options.person === undefined || options.person === 'ask' || isDesk(options.person)
      ? undefined
      : { ...options.person, ...(scenario.person && { proposals: scenario.person }) };
  const limit = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const output = new Output();
  const closed = Promise.withResolvers<void>();
  const attach = (child: ChildProcess): void => {
    output.read(child);
    child.once('close', closed.resolve);
    // Writing fails if the client has exited or closed its standard input.
    child.stdin?.on('error', () => undefined);
    const say = (line: string): void => {
      child.stdin?.write(`${line}\n`);
    };
    if (desk !== undefined) passOn(stub, say);
    else if (person !== undefined) answerFor(stub, person, say);
    else child.stdin?.end();
  };
  const ended = await runCommand({
    command,
    env: {
      ...environmentFor(scenario, stub, baseUrl),
      ...(mcp === undefined ? {} : { TCK_MCP_URL: mcpUrlOf(baseUrl) }),
      ...personEnv(person ?? options.person),
    },
    stop: AbortSignal.any([options.stop, limit]),
    attach: isAsked ? undefined : attach,
  });
  if (!isAsked) await Promise.race([closed.promise, wait(flushMs, undefined, { ref: false })]);
  const redactor = createRedactor(() => new Map(stub.roles.map((role) => [stub.keys[role], { role }])));
  const run: ClientRun = {
    scenario: scenario.name,
    kind: scenario.kind,
    exitCode: limit.aborted ? null : ended,
    ...(isAsked ? {} : { output: redactor.text(output.text) }),
  };
  const { knowledge, exchanges, ...rest } = stub.history();
  const last = Math.max(0, ...exchanges.map(({ number }) => number));
  const known = attended || person !== undefined || desk !== undefined || knowledge.person === true;
  const history: History = {
    ...rest,
    knowledge: { ...knowledge, person: known, run },
    exchanges: [...exchanges, ...elsewhere.exchanges(knowledge.startedAt ?? 0, last, redactor)],
  };
  const { imagesDispatched, contentRequestsCreated } = stub.stats;
  const effects = { images: imagesDispatched, contentRequests: contentRequestsCreated };
  return { name: scenario.name, run, history, effects };
}

const isDesk = (person: PlayOptions['person']): person is Desk => typeof person === 'object' && 'port' in person;

const resultMs = 50;

/** Delays responses, so that concurrent requests are distinguishable from requests sent after a response. */
const unhurried = changing(
  () => true,
  (response) => {
    const delayMs = response.body.ok === true ? resultMs : togetherMs;
    return { ...response, delivery: { ...response.delivery, delayMs } };
  },
);

/**
 * Returns the environment of the client. `primary` gets the key of the scenario's role. TCK_WORKSPACE is unset if the
 * client must ask for a workspace.
 */
function environmentFor(scenario: Scenario, stub: StubCore, baseUrl: string): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = environmentOf(stub, baseUrl, controlOf({ stub, baseUrl }));
  all.TCK_KEY_PRIMARY = stub.keys[scenario.role];
  if (scenario.role !== 'primary') all.TCK_WORKSPACE = undefined;
  if (scenario.role === 'otherAccount') all.TCK_BOARD = stub.otherAccount.board;
  return all;
}

/** Returns TCK_PERSON, for clients that read the answers from the environment. */
function personEnv(person: PlayOptions['person']): Record<string, string> {
  if (person === undefined) return {};
  // If the answers differ, a client must read each of them.
  if (person === 'ask' || isDesk(person) || person.proposals === 'deny-after-fault') return { TCK_PERSON: 'ask' };
  return { TCK_PERSON: person.pick === undefined ? person.proposals : `${person.proposals},pick=${person.pick}` };
}

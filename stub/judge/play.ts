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
import { changing } from '../variants/changes/responses.ts';
import { together } from '../variants/deviation.ts';
import { deviationOf } from '../variants/index.ts';
import { listenElsewhere } from './elsewhere.ts';
import { Output } from './output.ts';
import { answerFor, type PersonAnswers } from './person.ts';
import type { Scenario } from './scenarios.ts';

export interface PlayOptions {
  /** The client's program and arguments. */
  readonly command: readonly string[];
  readonly seed: number;
  /** Time limit of one run of the client. */
  readonly timeoutSeconds: number;
  readonly person?: PersonAnswers | undefined;
  /** Number of requests that the client sent in the plain run. */
  readonly requests?: number;
  /** Whether the stub also offers the tools over the Model Context Protocol. */
  readonly mcp?: boolean | undefined;
  readonly stop: AbortSignal;
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
  const { seed, command } = options;
  const deviation = together(deviationOf({ seed, variants: scenario.variants }), unhurried);
  const size = scenario.size === undefined ? {} : { size: scenario.size };
  await using stub = createControlled({ seed, deviation, control: true, ...size });
  await using elsewhere = await listenElsewhere();
  const mcp = options.mcp === true ? await loadMcp() : undefined;
  const { baseUrl } = await stub.listen({
    ...(mcp === undefined ? {} : { beside: besideFor(mcp, stub) }),
  });
  scenario.prepare(stub, elsewhere.origin, options.requests ?? 0);
  const person = options.person && { ...options.person, ...(scenario.person && { proposals: scenario.person }) };
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
    if (person !== undefined) answerFor(stub, person, say);
    else child.stdin?.end();
  };
  const ended = await runCommand({
    command,
    env: {
      ...environmentFor(scenario, stub, baseUrl),
      ...(mcp === undefined ? {} : { TCK_MCP_URL: mcpUrlOf(baseUrl) }),
      ...personEnv(person),
    },
    stop: AbortSignal.any([options.stop, limit]),
    attach,
  });
  await Promise.race([closed.promise, wait(flushMs, undefined, { ref: false })]);
  const redactor = createRedactor(() => new Map(stub.roles.map((role) => [stub.keys[role], { role }])));
  const run: ClientRun = {
    scenario: scenario.name,
    kind: scenario.kind,
    exitCode: limit.aborted ? null : ended,
    output: redactor.text(output.text),
  };
  const { knowledge, exchanges, ...rest } = stub.history();
  const last = Math.max(0, ...exchanges.map(({ number }) => number));
  const known = person !== undefined || knowledge.person === true;
  const history: History = {
    ...rest,
    knowledge: { ...knowledge, person: known, run },
    exchanges: [...exchanges, ...elsewhere.exchanges(knowledge.startedAt ?? 0, last, redactor)],
  };
  const { imagesDispatched, contentRequestsCreated } = stub.stats;
  const effects = { images: imagesDispatched, contentRequests: contentRequestsCreated };
  return { name: scenario.name, run, history, effects };
}

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
  if (person.proposals === 'deny-after-fault') return { TCK_PERSON: 'ask' };
  return { TCK_PERSON: person.pick === undefined ? person.proposals : `${person.proposals},pick=${person.pick}` };
}

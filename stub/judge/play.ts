import type { ChildProcess } from 'node:child_process';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { togetherMs } from '../../suites/clients/client.ts';
import { pathOf } from '../../suites/clients/exchange.ts';
import type { Exchange } from '../../suites/exchange/exchange.ts';
import type { ClientRun, History } from '../../suites/exchange/history.ts';
import type { Effects } from '../../suites/recorded/client-result.ts';
import { controlHeader, controlPath, problem } from '../control/reply.ts';
import { createStub, type Stub } from '../index.ts';
import { createRedactor } from '../journal/journal.ts';
import { besideFor, loadMcp, mcpUrlOf } from '../mcp/load.ts';
import { controlOf } from '../serve/announce.ts';
import { environmentOf, runCommand } from '../serve/command.ts';
import type { Handle, StubRequest } from '../server/handle.ts';
import { changing } from '../variants/changes/responses.ts';
import { combineVariants } from '../variants/conforming/index.ts';
import { together } from '../variants/defect.ts';
import { copyOf, type Files, filesIn, filesWithKeys, written } from './folder.ts';
import { announced, answerFor, type PersonAnswer, type PersonAnswers } from './person.ts';
import type { Scenario } from './scenarios.ts';

export interface PlayOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly seed: number;
  /** Time limit of one run of the client. */
  readonly timeoutSeconds: number;
  readonly person?: PersonAnswers | undefined;
  /** Whether the stub also offers the tools over the Model Context Protocol. */
  readonly mcp?: boolean | undefined;
  /** Whether findings of an earlier run of the scenario are verified. */
  readonly verifies?: boolean;
  readonly stop: AbortSignal;
}

/** The history of a client in one scenario. */
export interface Played {
  readonly name: string;
  readonly what: string;
  readonly history: History;
  readonly run: ClientRun;
  /** What the sandbox did, also for requests whose responses were lost. */
  readonly effects: Effects;
  readonly seconds: number;
  /** Whether the client tried to reset its sandbox or to remove its faults, which hides mistakes. */
  readonly triedReset: boolean;
  /** The working folder before the run, and the files that the run wrote into it. */
  readonly files: { readonly before: Files | undefined; readonly wrote: readonly string[] };
}

/** Wait time for the output after the client exits. Its child processes may keep the output open. */
const flushMs = 1000;

/** Most events of a scenario. A client may be a test suite. */
const mostEvents = 20_000;

/** Maximum length of the captured output. Only the end is kept. */
const mostCharacters = 65_536;

/**
 * Runs the client once, with a new stub. After the `first` run of a client that writes files, each run gets a copy of
 * the working folder. Rejects with a UsageError if the command cannot be started.
 */
export async function play(scenario: Scenario, options: PlayOptions, first?: Played): Promise<Played> {
  const { seed, command } = options;
  const deviation = together(combineVariants(scenario.variants), unhurried(options.verifies));
  const size = scenario.size === undefined ? {} : { size: scenario.size };
  let triedReset = false;
  const around = (handle: Handle): Handle => {
    return (request) => {
      if (!isReset(request) || request.headers[controlHeader] !== stub.control?.token) return handle(request);
      triedReset = true;
      return problem(403, 'A sandbox of tck judge keeps its journal and its faults.');
    };
  };
  await using stub = createStub({ seed, deviation, control: true, around, mostEvents, ...size });
  // A second server that clients are redirected to. They must not send their keys to it.
  await using elsewhere = createStub({ seed });
  const { baseUrl: origin } = await elsewhere.listen();
  const { before, wrote = [] } = first?.files ?? {};
  // A path into the parent folder leads nowhere in a copy.
  const isCopied = before !== undefined && wrote.length > 0 && !command.some((word) => word.startsWith('..'));
  await using copy = isCopied ? await copyOf(options.folder, before, wrote) : undefined;
  const folder = copy?.path ?? options.folder;
  const mcp = options.mcp === true ? await loadMcp() : undefined;
  const { baseUrl } = await stub.listen(mcp === undefined ? {} : { beside: besideFor(mcp, stub) });
  const answers: PersonAnswer[] = [];
  scenario.prepare(stub, origin, first?.history.exchanges.length ?? 0);
  const person = options.person && { ...options.person, ...(scenario.person && { proposals: scenario.person }) };
  const limit = AbortSignal.timeout(Math.ceil(options.timeoutSeconds * 1000));
  const closed = Promise.withResolvers<void>();
  let text = '';
  const attach = (child: ChildProcess): void => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text = (text + chunk).slice(-mostCharacters);
      });
    }
    child.once('close', closed.resolve);
    // Writing fails if the client has exited or closed its standard input.
    child.stdin?.on('error', () => undefined);
    const isOpen = person !== undefined && person.proposals !== 'no-answer';
    if (!isOpen) child.stdin?.end();
    const say = (line: string): void => {
      if (isOpen) child.stdin?.write(`${line}\n`);
    };
    if (person !== undefined) answerFor(stub, person, say, (answer) => void answers.push(answer));
  };
  const env = {
    ...environmentFor(scenario, stub, baseUrl),
    ...(mcp === undefined ? {} : { TCK_MCP_URL: mcpUrlOf(baseUrl) }),
    ...(person === undefined ? {} : { TCK_PERSON: announced(person) }),
    TCK_SCENARIO: scenario.name,
  };
  const looked = first === undefined ? await filesIn(folder) : undefined;
  const startedAt = Date.now();
  const stop = AbortSignal.any([options.stop, limit]);
  const ended = await runCommand({ command, env, cwd: folder, stop, attach });
  await Promise.race([closed.promise, wait(flushMs, undefined, { ref: false })]);
  // On a busy machine, the timer may fire before the output that has arrived is read.
  await setImmediate();
  const redactor = createRedactor(() => new Map(stub.roles.map((role) => [stub.keys[role], { role }])));
  const wroteNow = looked === undefined ? [] : written(looked, await filesIn(folder));
  const run: ClientRun = {
    scenario: scenario.name,
    kind: scenario.kind,
    exitCode: limit.aborted ? null : ended,
    output: redactor.text(text),
    isCut: text.length === mostCharacters,
    filesWithKeys: await filesWithKeys(folder, wroteNow, (written) => redactor.text(written) !== written),
  };
  const { knowledge, exchanges, events = [], ...rest } = stub.history();
  const { startedAt: begin = 0 } = knowledge;
  const said = answers.map(({ at, ...answer }) => ({ ...answer, kind: 'person' as const, at: at - begin }));
  const history: History = {
    ...rest,
    knowledge: { ...knowledge, person: person !== undefined || knowledge.person === true, run },
    exchanges: [...exchanges, ...strayed(elsewhere.history(), origin, exchanges, begin)],
    events: [...events, ...said].sort((one, other) => one.number - other.number),
  };
  const { imagesDispatched, contentRequestsCreated } = stub.stats;
  return {
    name: scenario.name,
    what: scenario.what,
    run,
    history,
    effects: { images: imagesDispatched, contentRequests: contentRequestsCreated },
    seconds: (Date.now() - startedAt) / 1000,
    triedReset,
    files: { before: looked, wrote: wroteNow },
  };
}

/** Returns the requests to another server as later exchanges of a history. Their keys do not identify the sender. */
function strayed(other: History, origin: string, before: readonly Exchange[], begin: number): Exchange[] {
  const last = Math.max(0, ...before.map(({ number }) => number));
  const laterMs = (other.knowledge.startedAt ?? 0) - begin;
  return other.exchanges.map(({ number, sentAt, receivedAt, request, ...exchange }) => ({
    ...exchange,
    number: last + number,
    sender: { label: 'another address', kind: 'other', role: null },
    request: { ...request, tool: null, url: origin + pathOf(request.url) },
    sentAt: sentAt + laterMs,
    receivedAt: receivedAt + laterMs,
  }));
}

/** Returns whether a request removes what the sandbox has recorded or what the scenario has prepared. */
function isReset({ method, path }: StubRequest): boolean {
  const [, rest] = path.split(`${controlPath}worlds/main/`);
  return rest !== undefined && (method === 'DELETE' || (method === 'POST' && rest === 'reset'));
}

const resultMs = 50;
/** On a busy machine, the start of a client can delay its second request by half a second. */
const verifyingMs = 3 * togetherMs;

/** Delays responses, so that concurrent requests are distinguishable from requests sent after a response. */
const unhurried = (verifies = false) =>
  changing(
    () => true,
    (response) => {
      const otherMs = verifies ? verifyingMs : togetherMs;
      const delayMs = response.body.ok === true ? resultMs : otherMs;
      return { ...response, delivery: { ...response.delivery, delayMs } };
    },
  );

/**
 * Returns the environment of the client. `primary` gets the key of the scenario's role. TCK_WORKSPACE is unset if the
 * client must ask for a workspace.
 */
function environmentFor(scenario: Scenario, stub: Stub, baseUrl: string): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = environmentOf(stub, baseUrl, controlOf({ stub, baseUrl }));
  all.TCK_KEY_PRIMARY = stub.keys[scenario.role];
  if (scenario.role !== 'primary') all.TCK_WORKSPACE = undefined;
  if (scenario.role === 'otherAccount') all.TCK_BOARD = stub.otherAccount.board;
  return all;
}

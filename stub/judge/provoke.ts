import { roleEnv } from '../../fixtures/roles.ts';
import type { ClientRun, History } from '../../suites/history/history.ts';
import { togetherMs } from '../../suites/rules/seen/known.ts';
import { createControlled } from '../controlled.ts';
import { createCore, type StubCore } from '../core.ts';
import { controlOf } from '../serve/announce.ts';
import { environmentOf, runCommand } from '../serve/command.ts';
import { changing } from '../variants/changes/responses.ts';
import { together } from '../variants/deviation.ts';
import { deviationOf } from '../variants/index.ts';
import { plainAgain, type Scenario, scenarios } from './scenarios.ts';

export interface ProvokeOptions {
  /** The client: a program with its arguments. */
  readonly command: readonly string[];
  readonly seed: number;
  /** Most that one run of the client may take. */
  readonly timeoutSeconds: number;
  /** Whether a person's word is given over the control plane: what is confirmed or chosen without it then fails. */
  readonly attended: boolean;
}

export interface ProvokeIo {
  readonly stop: AbortSignal;
  /** File descriptor that the client's own output goes to. */
  readonly output: number | 'ignore';
  readonly onScenario: (scenario: Scenario, played: Played) => void;
}

/** What a client did in one scenario. */
export interface Played {
  readonly name: string;
  readonly history: History;
  readonly run: ClientRun;
}

export interface Provoked {
  readonly played: readonly Played[];
  /** Why the client could not be judged properly, if so. */
  readonly trouble: string | undefined;
}

/** Runs a client once in every scenario, each in a stub of its own. Rejects with a UsageError for a command that cannot be started. */
export async function provoke(options: ProvokeOptions, io: ProvokeIo): Promise<Provoked> {
  const played: Played[] = [];
  let trouble: string | undefined;
  let choices: readonly string[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    if (io.stop.aborted || trouble !== undefined) break;
    // What is unknown is to be all that is different from the plain run.
    let seed = scenario.kind === 'unknown-fields' ? options.seed : options.seed + index;
    if (scenario.role === 'ambiguous') {
      // Of two lists of choices the second has to begin and to end otherwise.
      const sameEnds = (other: readonly string[]) => choices[0] === other[0] || choices.at(-1) === other.at(-1);
      while (choices.length > 0 && sameEnds(choicesOf(seed))) seed += scenarios.length;
      choices = choicesOf(seed);
    }
    const one = await play(scenario, seed, options, io);
    if (scenario.kind === 'unknown-fields' && leavesOut(one, played)) {
      // What a client does always tells from what it does once.
      played.push(await play(plainAgain, options.seed, options, io));
    }
    played.push(one);
    trouble = troubleIn(one);
  }
  return { played, trouble };
}

async function play(scenario: Scenario, seed: number, options: ProvokeOptions, io: ProvokeIo): Promise<Played> {
  const deviation = together(deviationOf({ seed, variants: scenario.variants }), unhurried);
  await using stub = createControlled({ seed, control: true, deviation });
  const { baseUrl } = await stub.listen();
  scenario.prepare(stub);
  const env = environmentFor(scenario, stub, baseUrl);
  const limit = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const stop = AbortSignal.any([io.stop, limit]);
  const { command } = options;
  const ended = await runCommand({ command, env, stop, stdio: ['ignore', io.output, io.output] });
  const run = { scenario: scenario.name, kind: scenario.kind, exitCode: limit.aborted ? null : ended };
  const { knowledge, ...history } = stub.history();
  const person = options.attended || knowledge.person === true;
  const played = { name: scenario.name, run, history: { ...history, knowledge: { ...knowledge, person, run } } };
  io.onScenario(scenario, played);
  return played;
}

const resultMs = 50;

/** Responses take their time, so that what was made together with a request can be told from what came after its response. */
const unhurried = changing(
  () => true,
  (response) => {
    const delayMs = response.body.ok === true ? resultMs : togetherMs;
    return { ...response, delivery: { ...response.delivery, delayMs } };
  },
);

/** The client gets one key, so that it need not know which of them to use, and is told of no workspace where it is to ask for one. */
function environmentFor(scenario: Scenario, stub: StubCore, baseUrl: string): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = environmentOf(stub, baseUrl, controlOf({ stub, baseUrl }));
  for (const role of stub.roles) all[roleEnv(role)] = undefined;
  all.TCK_KEY_PRIMARY = stub.keys[scenario.role];
  if (scenario.role === 'ambiguous') all.TCK_WORKSPACE = undefined;
  return all;
}

/** The list of choices in the world of a seed. */
function choicesOf(seed: number): readonly string[] {
  const { keys, handle } = createCore({ seed });
  const headers = { authorization: `Bearer ${keys.ambiguous}` };
  const { body } = handle({ method: 'POST', path: '/api/v1/tools/schedule.read', headers, body: null });
  return JSON.parse(body).workspaces;
}

/** Whether a client did not use a tool that it used in the plain run. */
function leavesOut({ history }: Played, [plain]: readonly Played[]): boolean {
  const tools = new Set(history.exchanges.map(({ request }) => request.tool));
  return plain?.history.exchanges.some(({ request }) => !tools.has(request.tool)) === true;
}

function troubleIn({ run: { kind, exitCode }, history }: Played): string | undefined {
  if (kind !== 'plain') return undefined;
  if (exitCode === null) return 'the client did not end in time where nothing was done to it';
  if (exitCode !== 0) return `the client ended with ${exitCode} where nothing was done to it`;
  return history.exchanges.length > 0 ? undefined : 'the client made no request';
}

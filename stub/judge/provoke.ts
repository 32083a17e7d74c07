import { availableParallelism } from 'node:os';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { judgeClient } from '../../suites/clients/judge.ts';
import { didYouMean } from '../../suites/usage/nearest.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { createCore } from '../core.ts';
import { type Played, type PlayOptions, play } from './play.ts';
import { plain, plainAgain, type Scenario, scenarios } from './scenarios.ts';

export type { Played } from './play.ts';

export interface ProvokeOptions extends Omit<PlayOptions, 'stop'> {
  /** Names of scenarios (default: all that concern the client). The plain scenario always runs. */
  readonly only?: readonly string[] | undefined;
}

export interface ProvokeIo {
  readonly stop: AbortSignal;
  /** Called after each scenario with the result, and with the result of the plain run. */
  readonly onScenario: (scenario: Scenario, played: Played, first: Played) => void;
}

export interface Provoked {
  /** In scenario order. */
  readonly played: readonly Played[];
  /** Why the client could not be judged completely. */
  readonly trouble: string | undefined;
}

/** Clients spend most of their time waiting, so several run per processor, up to `mostClients`. */
const clientsPerProcessor = 4;
const mostClients = 8;

/**
 * Runs the client in every scenario, each with a new stub. Rejects with a UsageError if the command cannot be started.
 */
export async function provoke(options: ProvokeOptions, { stop, onScenario }: ProvokeIo): Promise<Provoked> {
  const wanted = selected(options.only);
  requireAnswers(options);
  const playOne = async (scenario: Scenario, before?: Played): Promise<Played> => {
    const requests = before?.history.exchanges.length ?? 0;
    const once = () => play(scenario, { ...options, seed: seedFor(scenario, options.seed), requests, stop });
    const played = before !== undefined ? await playUntilSure(before, once) : await once();
    if (!stop.aborted) onScenario(scenario, played, before ?? played);
    return played;
  };
  const first = await playOne(plain);
  const trouble = troubleIn(first);
  if (stop.aborted || trouble !== undefined) return { played: [first], trouble };
  const tools = toolsOf(first);
  const concerns = ({ name, tool, person }: Scenario) =>
    (tool === undefined || tools.has(tool) || options.only?.includes(name) === true) &&
    (person === undefined || options.person?.proposals === 'approve');
  const most = Math.min(mostClients, availableParallelism() * clientsPerProcessor);
  const others = await sideBySide(wanted.filter(concerns), most, stop, async (scenario) => {
    const played = await playOne(scenario, first);
    const isUsual = played.run.exitCode === 0 && !leavesOut(played, tools);
    if (scenario.kind !== 'unknown-fields' || isUsual) return [played];
    // A second plain run shows which requests the client sends in every run.
    return [await playOne(plainAgain, first), played];
  });
  return { played: [first, ...others.flat()], trouble };
}

/** Rules whose findings depend on the time between a response and a request. */
const timed: readonly ClientRuleId[] = [
  'client-limits.retry-after',
  'client-limits.no-other-key',
  'client-retries.only-what-may-help',
];

/**
 * Runs a scenario again if a finding depends on time. On a busy machine, requests that a client sends together can
 * arrive too far apart. If the second run has no such finding, the first run does not count.
 */
async function playUntilSure(first: Played, once: () => Promise<Played>): Promise<Played> {
  const isTimed = ({ history }: Played) => {
    const { requirements } = judgeClient([first.history, history]);
    return requirements.some(({ id, findings }) => timed.includes(id) && findings.length > 0);
  };
  const played = await once();
  if (!isTimed(played)) return played;
  const again = await once();
  return isTimed(again) ? played : again;
}

/** Throws a UsageError for a selected scenario that needs other answers of the person. */
function requireAnswers(options: ProvokeOptions): void {
  const lacking = scenarios.find(
    ({ name, person }) =>
      person !== undefined && options.only?.includes(name) && options.person?.proposals !== 'approve',
  );
  if (lacking === undefined) return;
  throw new UsageError(`--scenario: '${lacking.name}' needs --person approve`);
}

/** Selects scenarios by name. Throws a UsageError for an unknown name. */
function selected(only: readonly string[] | undefined): readonly Scenario[] {
  const names = [plain, ...scenarios].map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--scenario: there is no scenario '${unknown}'${didYouMean(unknown, names)} (known: ${names.join(', ')})`,
    );
  }
  return scenarios.filter(({ name }) => only === undefined || only.includes(name));
}

async function sideBySide<T>(
  all: readonly Scenario[],
  most: number,
  stop: AbortSignal,
  run: (scenario: Scenario) => Promise<T>,
): Promise<T[]> {
  const done = new Map<number, T>();
  const waiting = [...all.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !stop.aborted; next = waiting.shift()) {
      done.set(next[0], await run(next[1]));
    }
  };
  await Promise.all(Array.from({ length: Math.min(all.length, most) }, work));
  return [...done].sort(([a], [b]) => a - b).map(([, result]) => result);
}

/**
 * Returns the seed of a scenario. Plain and unknown-fields runs share a seed, so that only the unknown fields differ.
 * Other scenarios get different seeds, so that choices are listed in different orders.
 */
function seedFor({ kind, name }: Scenario, seed: number): number {
  if (kind !== 'other') return seed;
  const lists = { ambiguous: 'north', 'ambiguous-again': 'south' };
  const middle = new Map(Object.entries(lists)).get(name);
  let chosen = seed + 1 + scenarios.findIndex((each) => each.name === name);
  // The middle choices of the two scenarios differ. A client that picks the first or last choice, or always the same
  // one, never matches both.
  while (middle !== undefined && choicesOf(chosen)[1] !== middle) chosen += scenarios.length;
  return chosen;
}

/** Returns the workspaces that the main sandbox of a seed lists for an ambiguous request. */
function choicesOf(seed: number): readonly string[] {
  const { keys, handle } = createCore({ seed });
  const headers = { authorization: `Bearer ${keys.ambiguous}` };
  const { body } = handle({ method: 'POST', path: '/api/v1/tools/schedule.read', headers, body: null });
  return JSON.parse(body).workspaces;
}

function toolsOf({ history }: Played): Set<string | null> {
  return new Set(history.exchanges.map(({ request }) => request.tool));
}

/** Returns whether a client skipped a tool that it used in the plain run. */
function leavesOut(played: Played, tools: ReadonlySet<string | null>): boolean {
  const met = toolsOf(played);
  return [...tools].some((tool) => !met.has(tool));
}

function troubleIn({ run: { exitCode }, history }: Played): string | undefined {
  if (exitCode === null) return 'the client did not exit in time in the plain scenario';
  // After its person denies a proposal, a client may exit with another code.
  const isDenied = history.events?.some((event) => event.kind === 'person' && event.act === 'denied') === true;
  if (exitCode !== 0 && !isDenied) return `the client exited with ${exitCode} in the plain scenario`;
  return history.exchanges.length > 0 ? undefined : 'the client sent no request in the plain scenario';
}

import { availableParallelism } from 'node:os';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { judgeClient } from '../../suites/clients/judge.ts';
import { didYouMean, UsageError } from '../../suites/usage/usage-error.ts';
import { createStub } from '../index.ts';
import { type Played, type PlayOptions, play } from './play.ts';
import { agentScenarios, plain, plainAgain, type Scenario, scenarios } from './scenarios.ts';

export type { Played } from './play.ts';

export interface ProvokeOptions extends Omit<PlayOptions, 'stop' | 'verifies'> {
  /** Names of scenarios (default: all that concern the client). The plain scenario always runs. */
  readonly only?: readonly string[] | undefined;
  readonly jobs?: number | undefined;
}

export interface ProvokeIo {
  readonly stop: AbortSignal;
  readonly onScenario: (played: Played) => void;
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

/** A client that works in a scenario longer than this, beyond five plain runs, waits for something. */
const patienceSeconds = 30;

/**
 * Runs the client in every scenario, each with a new stub. Rejects with a UsageError if the command cannot be started.
 */
export async function provoke(options: ProvokeOptions, { stop, onScenario }: ProvokeIo): Promise<Provoked> {
  const wanted = selected(options);
  const playOne = async (scenario: Scenario, first?: Played, verifies = false): Promise<Played> => {
    const patience = first === undefined ? Number.POSITIVE_INFINITY : patienceSeconds + 5 * first.seconds;
    const timeoutSeconds = Math.min(options.timeoutSeconds, patience);
    const own = { ...options, timeoutSeconds, seed: seedFor(scenario, options.seed), verifies, stop };
    return play(scenario, own, first);
  };
  const first = await playOne(plain);
  if (!stop.aborted) onScenario(first);
  const trouble = troubleIn(first);
  if (stop.aborted || trouble !== undefined) return { played: [first], trouble };
  const tools = toolsOf(first);
  const concerned = wanted.filter(
    ({ name, tool, person, requests = 0 }) =>
      (tool === undefined || tools.has(tool) || options.only?.includes(name) === true) &&
      (person === undefined || options.person?.proposals === 'approve') &&
      first.history.exchanges.length >= requests,
  );
  const most = options.jobs ?? Math.min(mostClients, availableParallelism() * clientsPerProcessor);
  const played = new Map<string, Played>([[plain.name, first]]);
  const note = (one: Played): void => {
    if (stop.aborted) return;
    played.set(one.name, one);
    onScenario(one);
  };
  await sideBySide(concerned, most, stop, async (scenario) => {
    const one = await playOne(scenario, first);
    const isUsual = one.run.exitCode === 0 && [...tools].every((tool) => toolsOf(one).has(tool));
    // A second plain run shows which requests the client sends in every run.
    if (scenario.kind === 'unknown-fields' && !isUsual) note(await playOne(plainAgain, first));
    note(one);
  });
  const inOrder = [plain, plainAgain, ...concerned].flatMap(({ name }) => played.get(name) ?? []);
  const isTimed = timedIn(inOrder);
  for (const scenario of concerned.filter(({ name }) => isTimed(played.get(name)))) {
    if (stop.aborted) break;
    const again = await playOne(scenario, first, true);
    if (!timedIn([first, again])(again)) played.set(scenario.name, again);
    // Other scenarios in which the client hangs would take as long.
    else if (again.run.exitCode === null) break;
  }
  return { played: inOrder.map(({ name }) => played.get(name) ?? first), trouble: resetIn([...played.values()]) };
}

/** Rules whose findings depend on the time between a response and a request. */
const timed: readonly ClientRuleId[] = [
  'client-limits.retry-after',
  'client-limits.no-other-key',
  'client-retries.only-what-may-help',
  'client-confirmations.one-at-a-time',
];

/**
 * Returns a function that tells whether a finding of a scenario depends on time. On a busy machine, requests that a
 * client sends together can arrive too far apart. The finding counts only if it recurs in a run of the scenario alone.
 */
function timedIn(all: readonly Played[]): (played: Played | undefined) => boolean {
  const { requirements } = judgeClient(all.map(({ history }) => history));
  const found = requirements.filter(({ id }) => timed.includes(id)).flatMap(({ findings }) => findings);
  const shown = new Set(found.flatMap(({ exchanges }) => exchanges));
  return (played) =>
    played !== undefined &&
    (played.run.exitCode === null || played.history.exchanges.some((exchange) => shown.has(exchange)));
}

/** Selects scenarios by name. Throws a UsageError for an unknown name, and for one that needs other answers. */
function selected({ only, person }: ProvokeOptions): readonly Scenario[] {
  if (only === undefined) return scenarios;
  const named = new Set(only.flatMap((name) => (name === 'agents' ? agentScenarios : [name])));
  const names = [plain, ...scenarios].map(({ name }) => name);
  for (const name of named) {
    if (!names.includes(name)) {
      const known = `known: agents, ${names.join(', ')}`;
      throw new UsageError(`--scenario: there is no scenario '${name}'${didYouMean(name, names)} (${known})`);
    }
    const asks = scenarios.some((scenario) => scenario.name === name && scenario.person !== undefined);
    if (asks && only.includes(name) && person?.proposals !== 'approve')
      throw new UsageError(`--scenario: '${name}' needs --person approve`);
  }
  return scenarios.filter(({ name }) => named.has(name));
}

async function sideBySide(
  all: readonly Scenario[],
  most: number,
  stop: AbortSignal,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  const waiting = all.toSorted((one, other) => other.seconds - one.seconds);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !stop.aborted; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: Math.min(all.length, most) }, work));
}

/**
 * Returns the seed of a scenario. Plain runs and runs that differ only in the server share a seed. Other scenarios get
 * different seeds, so that choices are listed in different orders.
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
  const { keys, handle } = createStub({ seed });
  const headers = { authorization: `Bearer ${keys.ambiguous}` };
  const { body } = handle({ method: 'POST', path: '/api/v1/tools/schedule.read', headers, body: null });
  return JSON.parse(body).workspaces;
}

function toolsOf({ history }: Played): Set<string | null> {
  return new Set(history.exchanges.map(({ request }) => request.tool));
}

function troubleIn(first: Played): string | undefined {
  const { run, history } = first;
  if (run.exitCode === null) return 'the client did not exit in time in the plain scenario';
  // After its person denies a proposal, a client may exit with another code.
  const isDenied = history.events?.some((event) => event.kind === 'person' && event.act === 'denied') === true;
  if (run.exitCode !== 0 && !isDenied) return `the client exited with ${run.exitCode} in the plain scenario`;
  return history.exchanges.length > 0 ? undefined : 'the client sent no request in the plain scenario';
}

/** Names the scenarios in which the client tried to reset its sandbox or to remove its faults. */
function resetIn(played: readonly Played[]): string | undefined {
  const names = played.filter(({ triedReset }) => triedReset).map(({ name }) => name);
  return names.length === 0
    ? undefined
    : `the client tried to reset its sandbox or to remove its faults in: ${names.join(', ')}`;
}

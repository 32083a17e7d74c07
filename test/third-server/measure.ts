import { parseArgs } from 'node:util';
import { audit } from '../../suites/engine/audit.ts';
import { requirements } from '../../suites/requirements.ts';
import type { RunResult } from '../../suites/result.ts';
import type { Deployment } from './deployment.ts';
import { type Deviation, deviationClasses } from './deviation.ts';
import { deviations, keptAside } from './deviations/index.ts';
import { deployments } from './honest/index.ts';
import type { Outcome } from './outcome.ts';
import { type Difference, startThirdServer } from './server.ts';
import { thirdTarget } from './target.ts';

/** Maximum duration of one run in milliseconds. */
const longest = 150_000;

export async function runThird(
  subject: Difference & Pick<Deployment, 'target'> = {},
  explore = 0,
  seed = 1,
): Promise<RunResult> {
  const server = await startThirdServer(subject);
  try {
    const given = { ...(explore > 0 ? { maxImages: 40 } : {}), ...subject.target?.(server) };
    const signal = AbortSignal.timeout(longest);
    return await audit(thirdTarget(server, given), { seed, observe: false, explore, signal });
  } finally {
    await server.close();
  }
}

export function withStatus({ requirements }: RunResult, ...statuses: string[]): string[] {
  return requirements.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
}

function outcome(subject: { id: string; class: string }, result: RunResult): Omit<Outcome, 'good'> {
  return {
    id: subject.id,
    class: subject.class,
    aside: keptAside(subject.id),
    found: withStatus(result, 'failed', 'warned'),
    untested: [],
    requests: result.summary.requests,
    seconds: result.durationMs / 1000,
    verdict: result.verdict,
  };
}

/**
 * Measures a deviation, which is caught if a requirement that it declares to break fails. If a default run does not
 * catch the deviation, a second run adds `explore` generated requests.
 */
export async function measureDeviation(one: Deviation & { class: string }, explore = 0): Promise<Outcome> {
  const ended = outcome(one, await runThird(one));
  const declared = new Set<string>(one.breaks);
  const isCaught = ({ found }: Pick<Outcome, 'found'>): boolean => found.some((id) => declared.has(id));
  if (isCaught(ended) || explore === 0) return { ...ended, good: isCaught(ended), explored: false };
  const further = outcome(one, await runThird(one, explore));
  return { ...further, good: isCaught(further), explored: true };
}

/** Returns whether an ID matches one of the patterns, in which `*` stands for any text. */
function named(id: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(id));
}

/**
 * Measures a deployment. It is good if no requirement fails or errors, and all others are tested unless they may stay
 * untested.
 */
export async function measureDeployment(one: Deployment, explore = 0): Promise<Outcome> {
  const result = await runThird(one, explore);
  const ended = outcome({ id: one.id, class: 'honest' }, result);
  const must = new Set<string>(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  const found = withStatus(result, 'failed', 'errored').filter((id) => must.has(id));
  const untested = withStatus(result, 'not-tested').filter((id) => must.has(id) && !named(id, one.untested ?? []));
  return { ...ended, found, untested, good: found.length === 0 && untested.length === 0 };
}

/** Runs two items at a time. */
export async function inPairs<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const left = [...items.entries()];
  const results: R[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await act(next[1]);
  };
  await Promise.all([work(), work()]);
  return results;
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${part}/${whole} (${Math.round((100 * part) / whole)} %)`;

/** Returns one line per class, with separate columns for the visible part and the held-out set. */
export function figures(outcomes: readonly Outcome[]): string {
  const classes = [...deviationClasses, 'honest'].filter((name) => outcomes.some((one) => one.class === name));
  const line = (name: string, all: readonly Outcome[]): string => {
    const parts = [false, true].map((aside) => all.filter((one) => one.aside === aside));
    const shares = parts.map((part) => percent(part.filter(({ good }) => good).length, part.length));
    return `| ${[name, ...shares].join(' | ')} |`;
  };
  const lines = classes.map((name) =>
    line(
      name,
      outcomes.filter((one) => one.class === name),
    ),
  );
  const deviant = outcomes.filter((one) => one.class !== 'honest');
  if (deviant.length > 0) lines.push(line('all deviations', deviant));
  return ['| class | looked at | kept aside |', '|---|---|---|', ...lines].join('\n');
}

/** Prints a bad outcome. The held-out set is counted but never printed. */
function show({ aside, good, class: name, id, found, untested, requests, seconds }: Outcome): void {
  if (aside || good) return;
  const shown = [...found.map((each) => `! ${each}`), ...untested.map((each) => `? ${each}`)].join(' ');
  process.stdout.write(`${name} ${id} [${requests} requests, ${seconds.toFixed(1)} s]: ${shown}\n`);
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { explore: { type: 'string' } } });
  const [what = 'all', pattern = '*'] = positionals;
  const explore = Number(values.explore ?? 0);
  const chosen = <T extends { id: string; class?: string }>(list: readonly T[]): T[] =>
    list.filter(({ id, class: name }) => named(id, [pattern]) || name === pattern);
  const measured =
    <T>(act: (one: T) => Promise<Outcome>) =>
    async (one: T): Promise<Outcome> => {
      const outcome = await act(one);
      show(outcome);
      return outcome;
    };
  const outcomes = [
    ...(what === 'honest'
      ? []
      : await inPairs(
          chosen(deviations),
          measured((one) => measureDeviation(one, explore)),
        )),
    ...(what === 'deviations'
      ? []
      : await inPairs(
          chosen(deployments),
          measured((one) => measureDeployment(one, explore)),
        )),
  ];
  const blamed = outcomes.filter((one) => one.class === 'honest' && one.found.length > 0).length;

  const byExploring = outcomes.filter(({ good, explored }) => good && explored === true).length;
  process.stdout.write(`${figures(outcomes)}\ncaught by exploring only: ${byExploring}\n`);
  process.stdout.write(`honest deployments blamed: ${blamed}\n`);
}

if (import.meta.main) await main(process.argv.slice(2));

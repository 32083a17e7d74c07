import { effects } from '../../fixtures/side-effects.ts';
import type { ObservationResult, RunResult } from '../../suites/result.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';
import { assertCompatible } from './compatible.ts';
import { type Deployment, deploymentsOf, missingShards } from './deployments.ts';
import { mergedRequirement } from './requirement.ts';
import { shifted } from './shift.ts';

/**
 * Merges results of shards, of runs with different keys or side effects, or of different deployments. See
 * `mergedRequirement` for precedence. Throws a UsageError if the results cannot be merged.
 */
export function mergeResults(results: readonly RunResult[], required: ReadonlySet<string> = new Set()): RunResult {
  const notices = assertCompatible(results);
  const [first] = results;
  if (first === undefined) throw new UsageError('there is nothing to merge');
  const startMs = Math.min(...results.map(({ startedAt }) => Date.parse(startedAt)));
  const endMs = Math.max(...results.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs));
  const parts = results.map((result, index) => {
    const before = results.slice(0, index).reduce((count, { exchanges }) => count + exchanges.length, 0);
    return shifted(result, { ids: before, ms: Date.parse(result.startedAt) - startMs });
  });
  const deployments = deploymentsOf(parts);
  const requirements = first.requirements.map(({ id }) => {
    const merged = mergedRequirement(deployments, id);
    return required.has(id) ? { ...merged, required: true as const } : merged;
  });
  const leftBehind = {
    contentRequests: parts.flatMap((part) => part.leftBehind.contentRequests),
    runs: parts.flatMap((part) => part.leftBehind.runs),
    proposals: parts.reduce((sum, part) => sum + part.leftBehind.proposals, 0),
  };
  const trouble = distinct([...deployments.flatMap(missingShards), ...parts.flatMap((part) => part.trouble)]);
  const { shard: _, ...facts } = first;
  return {
    ...facts,
    target: mergedTarget(parts),
    runId: distinct(parts.map(({ runId }) => runId)).join('+'),
    startedAt: new Date(startMs).toISOString(),
    durationMs: endMs - startMs,
    notices: [...notices, ...tellApart(deployments)],
    interrupted: parts.some(({ interrupted }) => interrupted),
    ...conclude({
      requirements,
      interrupted: parts.some(({ interrupted }) => interrupted),
      trouble,
      counts: addedUp(parts.map(({ summary }) => summary)),
    }),
    requirements,
    observations: mergedObservations(parts),
    leftBehind,
    exchanges: parts.flatMap(({ exchanges }) => exchanges),
    timeline: parts.flatMap(({ timeline }) => timeline).toSorted((a, b) => a.atMs - b.atMs),
  };
}

/** Notices of all runs. For several deployments, also the verdict of each. */
function tellApart(deployments: readonly Deployment[]): string[] {
  if (deployments.length === 1) return distinct(deployments.flatMap(({ runs }) => runs.flatMap((run) => run.notices)));
  return deployments.flatMap(({ name, runs }) => {
    const verdicts = distinct(runs.map(({ verdict }) => verdict)).join(', ');
    return [`${name}: ${verdicts}`, ...distinct(runs.flatMap((run) => run.notices)).map((text) => `${name}: ${text}`)];
  });
}

function mergedTarget(parts: readonly RunResult[]): RunResult['target'] {
  const targets = parts.map(({ target }) => target);
  const labels = distinct(targets.flatMap(({ label }) => label ?? []));
  return {
    baseUrl: distinct(targets.map(({ baseUrl }) => baseUrl)).join(', '),
    ...(labels.length === 0 ? {} : { label: labels.join(', ') }),
    kind: distinct(targets.map(({ kind }) => kind)).join(', '),
    roles: distinct(targets.flatMap(({ roles }) => roles)),
    workspaces: distinct(targets.flatMap(({ workspaces }) => workspaces)),
    allow: effects.filter((effect) => targets.some(({ allow }) => allow.includes(effect))),
    clock: targets.some(({ clock }) => clock),
  };
}

function mergedObservations(parts: readonly RunResult[]): ObservationResult[] {
  const byId = Map.groupBy(
    parts.flatMap(({ observations }) => observations),
    ({ id }) => id,
  );
  const all = [...byId.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const values = [first, ...others].flatMap((each) => each.values);
    const known = new Map(values.map((value) => [JSON.stringify(value), value]));
    return [{ ...first, values: [...known.values()], exchanges: [first, ...others].flatMap((each) => each.exchanges) }];
  });
  return all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

import { effects } from '../../fixtures/effects.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import type { ObservationResult, RequirementResult, RunResult } from '../../suites/result.ts';
import { conclude, worst } from '../../suites/verdict.ts';
import { shifted } from './shift.ts';

/**
 * One result out of several: of the shards of a run, or of runs of several deployments. A requirement that more than one run exercised has
 * the worst of its outcomes. Throws a UsageError where the runs did not go by the same description. Pure.
 */
export function mergeResults(results: readonly RunResult[], required: ReadonlySet<string> = new Set()): RunResult {
  const [first] = results;
  if (first === undefined) throw new UsageError('there is nothing to merge');
  for (const { document } of results) {
    if (document.contractSha256 === first.document.contractSha256) continue;
    throw new UsageError('the reports were made by kits with different descriptions, and cannot be one');
  }
  const startMs = Math.min(...results.map(({ startedAt }) => Date.parse(startedAt)));
  const endMs = Math.max(...results.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs));
  const parts = results.map((result, index) => {
    const before = results.slice(0, index).reduce((count, { exchanges }) => count + exchanges.length, 0);
    return shifted(result, { ids: before, ms: Date.parse(result.startedAt) - startMs });
  });
  const requirements = first.requirements.map(({ id }) => mergedRequirement(parts, id));
  const leftBehind = {
    contentRequests: parts.flatMap((part) => part.leftBehind.contentRequests),
    runs: parts.flatMap((part) => part.leftBehind.runs),
    proposals: parts.reduce((sum, part) => sum + part.leftBehind.proposals, 0),
  };
  const trouble = troubleOf(parts);
  return {
    ...first,
    target: mergedTarget(parts),
    runId: distinct(parts.map(({ runId }) => runId)).join('+'),
    startedAt: new Date(startMs).toISOString(),
    durationMs: endMs - startMs,
    notices: distinct(parts.flatMap(({ notices }) => notices)),
    interrupted: parts.some(({ interrupted }) => interrupted),
    ...conclude({
      requirements,
      required,
      stale: ownReasons(parts),
      interrupted: parts.some(({ interrupted }) => interrupted),
      ...(trouble === undefined ? {} : { trouble }),
      requests: parts.reduce((sum, { summary }) => sum + summary.requests, 0),
      leftBehind,
    }),
    requirements,
    observations: mergedObservations(parts),
    leftBehind,
    exchanges: parts.flatMap(({ exchanges }) => exchanges),
    timeline: parts.flatMap(({ timeline }) => timeline).toSorted((a, b) => a.atMs - b.atMs),
  };
}

function mergedRequirement(parts: readonly RunResult[], id: string): RequirementResult {
  const all = parts.flatMap(({ requirements }) => requirements.filter((requirement) => requirement.id === id));
  // Outside its shard a requirement has no checks at all.
  const own = all.filter(({ checks }) => checks.length > 0);
  const exercised = own.filter(({ status }) => status !== 'not-exercised');
  const [one, ...others] = exercised.length > 0 ? exercised : own.length > 0 ? own : all;
  if (one === undefined) throw new UsageError(`the reports do not know the same requirements: ${id}`);
  if (others.length === 0) return one;
  const status = worst([one, ...others].map((each) => each.status));
  const decisive = [one, ...others].find((each) => each.status === status) ?? one;
  return { ...decisive, status, checks: [one, ...others].flatMap(({ checks }) => checks) };
}

/** Why a part says nothing at all, which the outcomes of its requirements do not show. */
function troubleOf(parts: readonly RunResult[]): string | undefined {
  const troubled = parts.filter(
    ({ verdict, interrupted, summary }) => verdict === 'inconclusive' && !interrupted && summary.errored === 0,
  );
  return troubled.length === 0 ? undefined : distinct(troubled.flatMap(({ reasons }) => reasons)).join('; ');
}

/** What counts against a part beside failed requirements, which are counted anew: stale known failures, and what it required. */
function ownReasons(parts: readonly RunResult[]): string[] {
  const against = parts.filter(({ verdict }) => verdict === 'non-conformant').flatMap(({ reasons }) => reasons);
  return distinct(against.filter((reason) => !/^\d+ requirements? (failed|errored)/.test(reason)));
}

function mergedTarget(parts: readonly RunResult[]): RunResult['target'] {
  const targets = parts.map(({ target }) => target);
  return {
    baseUrl: distinct(targets.map(({ baseUrl }) => baseUrl)).join(', '),
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
  return [...byId.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const values = [first, ...others].flatMap((each) => each.values);
    const known = new Map(values.map((value) => [JSON.stringify(value), value]));
    return [{ ...first, values: [...known.values()], exchanges: [first, ...others].flatMap((each) => each.exchanges) }];
  });
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

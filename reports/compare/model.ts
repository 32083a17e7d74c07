import type { Severity } from '../../fixtures/requirements/model.ts';
import type {
  Level,
  ObservationResult,
  ReportedFinding,
  RequirementResult,
  RunResult,
  Status,
  Summary,
} from '../../suites/result.ts';
import { headlineOf } from '../figures.ts';
import { byTopic } from '../findings.ts';
import { severityRank } from '../status-words.ts';
import { type Category, categoryOf } from './category.ts';

/** One requirement in two runs; a status is null where a run does not know the requirement. */
export interface Change {
  id: string;
  topic: string;
  level: Level;
  severity: Severity;
  statement: string;
  before: Status | null;
  after: Status | null;
  /** Of a requirement that fails: the first finding of the later run. */
  finding: ReportedFinding | null;
}

/** An open question that two runs answer differently. */
export interface Drift {
  id: string;
  question: string;
  before: unknown[];
  after: unknown[];
}

/** What tells one run from another. */
export interface RunHead {
  baseUrl: string;
  startedAt: string;
  kitVersion: string;
  documentSha256: string;
  label: string | null;
  /** Where the target came from; `client` where a client was judged. */
  kind: string;
  seed: number;
  /** With what it was tested: keys by role, allowed side effects, and a clock that can be moved. */
  scope: string[];
  verdict: RunResult['verdict'];
  complete: boolean;
  /** What was found, and how much was tested, in one line. */
  headline: string;
}

/** Two runs compared: of one deployment at two times, or of two deployments. */
export interface Comparison {
  schemaVersion: 1;
  before: RunHead;
  after: RunHead;
  changes: Record<Category, Change[]>;
  observations: Drift[];
  counts: { name: keyof Summary | 'requirements' | 'exchanges'; before: number; after: number }[];
}

/** Compares two runs by the ids of requirements, so that reports of different versions of the kit can be compared. */
export function compareReports(before: RunResult, after: RunResult): Comparison {
  return {
    schemaVersion: 1,
    before: headOf(before),
    after: headOf(after),
    changes: changesOf(before.requirements, after.requirements),
    observations: driftOf(before.observations, after.observations),
    counts: countsOf(before, after),
  };
}

/** The exit code of a comparison: 1 where something got worse that was known to be right, otherwise 0. */
export function exitCodeOfComparison(comparison: Comparison): 0 | 1 {
  return comparison.changes.regressions.length > 0 ? 1 : 0;
}

export function headOf(run: RunResult): RunHead {
  return {
    baseUrl: run.target.baseUrl,
    startedAt: run.startedAt,
    kitVersion: run.kit.version,
    documentSha256: run.document.contractSha256,
    label: run.target.label ?? null,
    kind: run.target.kind,
    seed: run.seed,
    scope: [
      ...run.target.roles.map((role) => `key ${role}`),
      ...run.target.allow.map((effect) => `side effect ${effect}`),
      ...(run.target.clock ? ['clock'] : []),
    ],
    verdict: run.verdict,
    complete: run.complete,
    headline: headlineOf(run),
  };
}

function changesOf(before: readonly RequirementResult[], after: readonly RequirementResult[]): Comparison['changes'] {
  const changes: Comparison['changes'] = {
    regressions: [],
    fixes: [],
    otherFailures: [],
    stillFailing: [],
    newlyTested: [],
    noLongerTested: [],
    advice: [],
  };
  const earlier = new Map(before.map((requirement) => [requirement.id, requirement]));
  const later = new Map(after.map((requirement) => [requirement.id, requirement]));
  const all = [...after, ...before.filter(({ id }) => !later.has(id))].toSorted(worstFirst);
  for (const { id, topic, level, severity, statement } of all) {
    const was = earlier.get(id)?.status ?? null;
    const is = later.get(id)?.status ?? null;
    const category = categoryOf(was, is);
    if (category === null) continue;
    const finding = later.get(id)?.findings[0] ?? null;
    changes[category].push({ id, topic, level, severity, statement, before: was, after: is, finding });
  }
  return changes;
}

function worstFirst(a: RequirementResult, b: RequirementResult): number {
  return severityRank(a.severity) - severityRank(b.severity) || byTopic(a, b);
}

/** Where both runs have an answer; what one run did not look at is no drift. */
function driftOf(before: readonly ObservationResult[], after: readonly ObservationResult[]): Drift[] {
  const earlier = new Map(before.map((observation) => [observation.id, observation]));
  return after
    .flatMap(({ id, question, values, volatile }) => {
      const was = earlier.get(id);
      if (was === undefined || volatile === true || was.volatile === true) return [];
      if (was.values.length === 0 || values.length === 0 || sameValues(was.values, values)) return [];
      return [{ id, question, before: was.values, after: values }];
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether two lists hold the same values, in whatever order. */
function sameValues(one: readonly unknown[], other: readonly unknown[]): boolean {
  const asText = (values: readonly unknown[]) =>
    JSON.stringify(values.map((value) => JSON.stringify(inOrder(value))).sort());
  return asText(one) === asText(other);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, inOrder(member)]);
}

function countsOf(before: RunResult, after: RunResult): Comparison['counts'] {
  const names = Object.keys(before.summary) as (keyof Summary)[]; // members of an object of that type
  return [
    { name: 'requirements' as const, before: before.requirements.length, after: after.requirements.length },
    ...names.map((name) => ({ name, before: before.summary[name], after: after.summary[name] })),
    { name: 'exchanges' as const, before: before.exchanges.length, after: after.exchanges.length },
  ].filter((count) => count.before !== count.after);
}

import type { Severity } from '../../fixtures/requirements/model.ts';
import { byTopic, severityRank } from '../../suites/causes/order.ts';
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
import { type Category, categoryOf } from './category.ts';
import { type CauseChange, causeChange, causeRows } from './cause-rows.ts';

/** One requirement in two runs. A status is null if a run does not have the requirement. */
export interface Change {
  id: string;
  topic: string;
  level: Level;
  severity: Severity;
  statement: string;
  before: Status | null;
  after: Status | null;
  /** First finding of the later run, if the requirement fails. */
  finding: ReportedFinding | null;
}

/** An open question with different observations in two runs. */
export interface Drift {
  id: string;
  question: string;
  before: unknown[];
  after: unknown[];
}

/** Identifies a run. */
export interface RunHead {
  baseUrl: string;
  startedAt: string;
  kitVersion: string;
  documentSha256: string;
  label: string | null;
  /** Source of the target. `client` for a judged client. */
  kind: string;
  seed: number;
  /** Test setup: keys by role, allowed side effects, and whether the clock can be advanced. */
  scope: string[];
  verdict: RunResult['verdict'];
  complete: boolean;
  /** Result and coverage in one line. */
  headline: string;
}

/** A comparison of two runs: one deployment at two times, or two deployments. */
export interface Comparison {
  schemaVersion: 1;
  before: RunHead;
  after: RunHead;
  /** Titles of causes. */
  causes: Record<CauseChange, string[]>;
  /** IDs of requirements that only one of the two runs selected. */
  selection: { onlyBefore: string[]; onlyAfter: string[] };
  changes: Record<Category, Change[]>;
  observations: Drift[];
  counts: { name: keyof Summary | 'requirements' | 'exchanges'; before: number; after: number }[];
}

/** Compares two runs by requirement ID, so reports of different versions of the kit can be compared. */
export function compareReports(before: RunResult, after: RunResult): Comparison {
  return {
    schemaVersion: 1,
    before: headOf(before),
    after: headOf(after),
    causes: causesOfBoth(before, after),
    selection: selectionOf(before, after),
    changes: changesOf(before.requirements, after.requirements),
    observations: driftOf(before.observations, after.observations),
    counts: countsOf(before, after),
  };
}

function causesOfBoth(before: RunResult, after: RunResult): Comparison['causes'] {
  const causes: Comparison['causes'] = { added: [], revealed: [], remaining: [], gone: [], untested: [] };
  for (const { title, states } of causeRows([before, after])) {
    const change = causeChange(states[0] ?? 'not-tested', states[1] ?? 'not-tested');
    if (change !== null) causes[change].push(title);
  }
  return causes;
}

/** Requirements that both versions of the kit have, but only one of the two runs selected. */
function selectionOf(before: RunResult, after: RunResult): Comparison['selection'] {
  const [earlier, later] = [selectedIn(before), selectedIn(after)];
  const onlyIn = (one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>) =>
    [...one].filter(([id, isSelected]) => isSelected && other.get(id) === false).map(([id]) => id);
  return { onlyBefore: onlyIn(earlier, later), onlyAfter: onlyIn(later, earlier) };
}

function selectedIn({ requirements }: RunResult): ReadonlyMap<string, boolean> {
  return new Map(
    requirements.map(({ id, missing = [] }) => [id, !missing.some(({ kind }) => kind === 'selection')] as const),
  );
}

/** Exit code of a comparison: 1 if a requirement regressed, otherwise 0. */
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

/** Compares only questions that both runs answer. A missing answer is not drift. */
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

/** Whether two lists contain the same values in any order. */
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
  const names = Object.keys(before.summary) as (keyof Summary)[]; // all members of Summary
  return [
    { name: 'requirements' as const, before: before.requirements.length, after: after.requirements.length },
    ...names.map((name) => ({ name, before: before.summary[name], after: after.summary[name] })),
    { name: 'exchanges' as const, before: before.exchanges.length, after: after.exchanges.length },
  ].filter((count) => count.before !== count.after);
}

import { type Cause, causesOf } from '../../suites/causes/causes.ts';
import { byTopic, severityRank } from '../../suites/causes/order.ts';
import type {
  ComparedRow,
  ComparedRun,
  Comparison,
  RequirementResult,
  RunResult,
  Status,
} from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { reportOf } from '../report.ts';
import { deploymentName, isCritical, type Tone } from '../status-words.ts';

/** What happened to a requirement or a cause between the last two runs, the most important change first. */
const changes = ['regression', 'new failure', 'still failing', 'fixed', 'no longer tested', 'newly tested'] as const;
export type Change = (typeof changes)[number];

/** Compares runs by cause and by requirement ID. The last run is compared with the one before. */
export function compareRuns(runs: readonly RunResult[]): Comparison {
  const [before, after] = runs.slice(-2);
  const rows = requirementRows(runs);
  return {
    schemaVersion: 1,
    runs: runs.map(runOf),
    causes: causeRows(runs),
    rows: rows.filter((row) => changeOf(row) !== null || new Set(row.statuses).size > 1),
    ...(before === undefined || after === undefined ? { notes: [] } : differencesOf(before, after)),
  };
}

/** Changes since an earlier run. Excludes requirements that this run did not select. */
export function changesSince(baseline: RunResult, result: RunResult): Comparison {
  const selected = result.requirements.filter((requirement) => isSelected(requirement));
  const known = new Set(selected.map(({ id }) => id));
  const before = baseline.requirements.filter(({ id }) => known.has(id));
  return compareRuns([
    { ...baseline, requirements: before },
    { ...result, requirements: selected },
  ]);
}

/** Null if nothing relevant changed. A status is null if a run does not have the requirement. */
export function changeOf({ statuses }: Pick<ComparedRow, 'statuses'>): Change | null {
  const [before = null, after = null] = statuses.slice(-2);
  const [was, is] = [standing(before), standing(after)];
  if (is === 'broken' && was === 'broken') return 'still failing';
  // A known failure is accepted by the owner of the list, so it is listed but is not a regression.
  if (is === 'broken') return was === 'kept' && after === 'failed' ? 'regression' : 'new failure';
  if (is === 'kept') return was === 'broken' ? 'fixed' : was === 'unknown' ? 'newly tested' : null;
  return was === 'unknown' ? null : 'no longer tested';
}

function standing(status: Status | null): 'kept' | 'broken' | 'unknown' {
  if (status === 'failed' || status === 'known-failure') return 'broken';
  return status === 'passed' || status === 'warned' ? 'kept' : 'unknown';
}

export function rowsWith(rows: readonly ComparedRow[], change: Change): ComparedRow[] {
  return rows.filter((row) => changeOf(row) === change);
}

/** Exit code of a comparison: 1 if a requirement regressed, otherwise 0. */
export function exitCodeOfComparison({ rows }: Comparison): 0 | 1 {
  return rowsWith(rows, 'regression').length > 0 ? 1 : 0;
}

/** The result of a comparison, as one line of counts: causes, then requirements. */
export function comparisonHeadline({ causes, rows, otherScope }: Comparison): string {
  const some = (count: number, what: string) => (count > 0 ? [counted(count, what)] : []);
  const found = rowsWith(causes, 'regression').length + rowsWith(causes, 'new failure').length;
  const ofCauses = [...some(found, 'new cause'), ...some(rowsWith(causes, 'fixed').length, 'fixed cause')];
  const regressions = rowsWith(rows, 'regression');
  const critical = regressions.filter(isCritical).length;
  const first = regressions.length === 0 ? 'no regression' : counted(regressions.length, 'regression');
  const others = changes.slice(1).flatMap((change) => {
    const { length } = rowsWith(rows, change);
    return length === 0 ? [] : [change === 'new failure' ? counted(length, change) : `${length} ${change}`];
  });
  const ofRows = [critical > 0 ? `${first} (${critical} critical)` : first, ...others];
  const parts = [ofCauses.join(', '), ofRows.join(', '), ...(otherScope === true ? ['different scope'] : [])];
  return parts.filter((part) => part !== '').join('; ');
}

/** Red for regressions. Green only for the same scope and a complete and conformant last run. */
export function toneOfComparison(comparison: Comparison): Tone {
  if (exitCodeOfComparison(comparison) === 1) return 'bad';
  const after = comparison.runs.at(-1);
  return after?.verdict === 'conformant' && after.complete && comparison.otherScope !== true ? 'good' : 'partial';
}

/** `Since 2026-03-02 (build 41): 1 regression, 2 fixed`. */
export function sinceBaseline(comparison: Comparison): string {
  const [{ startedAt, label } = { startedAt: '', label: undefined }] = comparison.runs;
  const when = `${startedAt.slice(0, 10)}${label === undefined ? '' : ` (${label})`}`;
  return `Since ${when}: ${comparisonHeadline(comparison)}`;
}

function runOf(run: RunResult): ComparedRun {
  const { label, ...target } = run.target;
  return {
    name: deploymentName(target),
    ...(label === undefined ? {} : { label }),
    startedAt: run.startedAt,
    kitVersion: run.kit.version,
    verdict: run.verdict,
    complete: run.complete,
    headline: reportOf(run).headline,
  };
}

function requirementRows(runs: readonly RunResult[]): ComparedRow[] {
  const byRun = runs.map(({ requirements }) => new Map(requirements.map((each) => [each.id, each])));
  const newest = new Map(runs.flatMap(({ requirements }) => requirements.map((each) => [each.id, each] as const)));
  return [...newest.values()].toSorted(worstFirst).map(({ id, statement, severity, findings: [finding] }) => ({
    id,
    title: statement,
    severity,
    statuses: byRun.map((known) => known.get(id)?.status ?? null),
    ...(finding === undefined ? {} : { finding: { expected: finding.expected, actual: finding.actual } }),
  }));
}

function worstFirst(a: RequirementResult, b: RequirementResult): number {
  return severityRank(a.severity) - severityRank(b.severity) || byTopic(a, b);
}

/** The causes of several runs. New causes of a run follow the causes of earlier runs. */
function causeRows(runs: readonly RunResult[]): ComparedRow[] {
  const rows: { latest: Cause; in: Set<number> }[] = [];
  runs.forEach((run, index) => {
    let causes = causesOf(run);
    // Causes with identical titles match first. Otherwise another cause of the same requirement could take the row.
    for (const isSame of [isTitledAlike, isNamedAlike]) {
      causes = causes.filter((cause) => {
        const row = rows.find(({ latest, in: seen }) => !seen.has(index) && isSame(cause, latest));
        if (row === undefined) return true;
        row.latest = cause;
        row.in.add(index);
        return false;
      });
    }
    rows.push(...causes.map((cause) => ({ latest: cause, in: new Set([index]) })));
  });
  return rows.map(({ latest: { title, severity, requirement, finding }, in: seen }) => ({
    id: requirement.id,
    title,
    severity,
    statuses: runs.map(({ requirements }, index) => {
      if (seen.has(index)) return 'failed';
      const status = requirements.find(({ id }) => id === requirement.id)?.status ?? null;
      return status === 'failed' || status === 'warned' ? 'passed' : status;
    }),
    finding: { expected: finding.expected, actual: finding.actual },
  }));
}

const isNamedAlike = (one: Cause, other: Cause) => one.requirement.id === other.requirement.id;
const isTitledAlike = (one: Cause, other: Cause) => isNamedAlike(one, other) && one.title === other.title;

const isSelected = ({ missing = [] }: RequirementResult) => !missing.some(({ kind }) => kind === 'selection');

/** Why two runs are not fully comparable. */
function differencesOf(before: RunResult, after: RunResult): Pick<Comparison, 'notes' | 'otherScope'> {
  const [were, are] = [scopeOf(before), scopeOf(after)];
  const [lost, added] = [were.filter((each) => !are.includes(each)), are.filter((each) => !were.includes(each))];
  const only = (when: string, all: readonly string[]) => (all.length > 0 ? [`only ${when}: ${all.join(', ')}`] : []);
  const scopes = [...only('before', lost), ...only('after', added)];
  const differing = (what: string, one: unknown, other: unknown) =>
    one === other ? [] : [`the two runs have different ${what}: ${one} and ${other}`];
  const documents = [before.document.contractSha256, after.document.contractSha256];
  const notes = [
    ...differing('deployments', deploymentName(before.target), deploymentName(after.target)),
    ...(scopes.length > 0 ? [`the two runs had different scopes, ${scopes.join('; ')}`] : []),
    ...differing('seeds', before.seed, after.seed),
    ...(documents[0] === documents[1] ? [] : ['the two runs tested different versions of the specification']),
    ...differing('versions of the kit', before.kit.version, after.kit.version),
    ...(before.complete === after.complete ? [] : ['one run was complete, the other was not']),
  ];
  return scopes.length > 0 ? { notes, otherScope: true } : { notes };
}

/** Keys by role, allowed side effects, the clock, and whether the run selected requirements. */
function scopeOf({ target, requirements }: RunResult): string[] {
  const unselected = requirements.filter((requirement) => !isSelected(requirement)).length;
  return [
    ...target.roles.map((role) => `key ${role}`),
    ...target.allow.map((effect) => `side effect ${effect}`),
    ...(target.clock ? ['clock'] : []),
    ...(unselected > 0 ? [`${counted(unselected, 'requirement')} not selected`] : []),
  ];
}

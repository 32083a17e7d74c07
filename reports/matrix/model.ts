import { isDeepStrictEqual } from 'node:util';
import { byStatus, requirementFigures } from '../../suites/figures.ts';
import type { RunResult, Status } from '../../suites/result.ts';
import { type Change, compareReports, headOf, type RunHead } from '../compare/model.ts';
import { notes } from '../compare/words.ts';
import { byTopic } from '../findings.ts';

/** One requirement in every run; undefined where a run does not know it. */
export interface Row {
  readonly id: string;
  readonly topic: string;
  readonly statement: string;
  readonly statuses: readonly (Status | undefined)[];
}

/** An open question that the runs do not all answer alike; undefined where a run does not answer it. */
export interface Answers {
  readonly id: string;
  readonly question: string;
  readonly values: readonly (readonly unknown[] | undefined)[];
}

/** One run: what it is, and how its requirements ended. */
export interface Column extends RunHead {
  readonly counts: Readonly<Record<Status, number>>;
}

/** Several runs side by side, the oldest first. */
export interface Matrix {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly observations: readonly Answers[];
  /** Requirements that both the newest run and the previous one tested, and whose result changed. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
  /** Why a changed result may come from the run instead of the deployment, such as another scope. */
  readonly notes: readonly string[];
}

/** Puts runs side by side, whatever was tested and by which version of the kit. */
export function matrixOf(reports: readonly RunResult[]): Matrix {
  const runs = reports.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const newest = runs.at(-1);
  const before = runs.at(-2) ?? newest;
  const comparison = before && newest && compareReports(before, newest);
  const ids = (all: readonly Change[] = []) => all.filter(isTestedByBoth).map(({ id }) => id);
  return {
    columns: runs.map((run) => ({ ...headOf(run), counts: byStatus(requirementFigures(run.requirements)) })),
    rows: rowsOf(runs),
    observations: answersOf(runs),
    worse: [...ids(comparison?.changes.regressions), ...ids(comparison?.changes.otherFailures)],
    better: ids(comparison?.changes.fixes),
    notes: comparison === undefined ? [] : notes(comparison),
  };
}

function isTestedByBoth({ before, after }: Change): boolean {
  return [before, after].every((status) => status !== null && status !== 'not-tested' && status !== 'errored');
}

function rowsOf(runs: readonly RunResult[]): Row[] {
  const byId = runs.map(({ requirements }) => new Map(requirements.map((each) => [each.id, each])));
  const all = new Map(runs.flatMap(({ requirements }) => requirements.map((each) => [each.id, each] as const)));
  return [...all.values()].toSorted(byTopic).map(({ id, topic, statement }) => ({
    id,
    topic,
    statement,
    statuses: byId.map((known) => known.get(id)?.status),
  }));
}

function answersOf(runs: readonly RunResult[]): Answers[] {
  const byId = runs.map(({ observations }) => new Map(observations.map((each) => [each.id, each])));
  const all = new Map(runs.flatMap(({ observations }) => observations.map((each) => [each.id, each] as const)));
  return [...all.values()]
    .map(({ id, question }) => ({ id, question, values: byId.map((known) => known.get(id)?.values) }))
    .filter(({ values }) => values.some((each) => !isDeepStrictEqual(each, values[0])))
    .sort((a, b) => a.id.localeCompare(b.id));
}

/** Whether some run is not content with a requirement. */
export function isBroken({ statuses }: Row): boolean {
  return statuses.some((status) => status !== undefined && status !== 'passed' && status !== 'not-tested');
}

/** Whether runs differ on a requirement, or some run is not content with it. */
export function isTelling(row: Row): boolean {
  return isBroken(row) || row.statuses.some((status) => status !== row.statuses[0]);
}

import { isDeepStrictEqual } from 'node:util';
import { byTopic } from '../../suites/causes/order.ts';
import { byStatus, requirementFigures } from '../../suites/figures.ts';
import type { RunResult, Status } from '../../suites/result.ts';
import { type CauseRow, causeRows } from '../compare/cause-rows.ts';
import { type Change, compareReports, headOf, type RunHead } from '../compare/model.ts';
import { notes } from '../compare/words.ts';

/** A requirement with its status in each run. Undefined if a run does not have the requirement. */
export interface Row {
  readonly id: string;
  readonly topic: string;
  readonly statement: string;
  readonly statuses: readonly (Status | undefined)[];
}

/** An open question with different observations. Undefined if a run has no observation. */
export interface Answers {
  readonly id: string;
  readonly question: string;
  readonly values: readonly (readonly unknown[] | undefined)[];
}

/** A run, with the number of requirements by status. */
export interface Column extends RunHead {
  readonly counts: Readonly<Record<Status, number>>;
}

/** Comparison of several runs, the oldest first. */
export interface Matrix {
  readonly columns: readonly Column[];
  /** Causes with their state in each run. */
  readonly causes: readonly CauseRow[];
  readonly rows: readonly Row[];
  readonly observations: readonly Answers[];
  /** IDs of requirements whose result changed. Both the newest and the previous run tested them. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
  /** Why a change can come from the run instead of the deployment, for example a different scope. */
  readonly notes: readonly string[];
}

/** Compares runs of any scope and any version of the kit. */
export function matrixOf(reports: readonly RunResult[]): Matrix {
  const runs = reports.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const newest = runs.at(-1);
  const before = runs.at(-2) ?? newest;
  const comparison = before && newest && compareReports(before, newest);
  const ids = (all: readonly Change[] = []) => all.filter(isTestedByBoth).map(({ id }) => id);
  return {
    columns: runs.map((run) => ({ ...headOf(run), counts: byStatus(requirementFigures(run.requirements)) })),
    causes: causeRows(runs),
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

/** Whether a requirement did not pass in at least one run that tested it. */
export function isBroken({ statuses }: Row): boolean {
  return statuses.some((status) => status !== undefined && status !== 'passed' && status !== 'not-tested');
}

/** Whether a requirement is broken in a run, or its status differs between runs. */
export function isTelling(row: Row): boolean {
  return isBroken(row) || row.statuses.some((status) => status !== row.statuses[0]);
}

import { type Cause, causesOf } from '../../suites/causes/causes.ts';
import { steady } from '../../suites/causes/likeness.ts';
import type { RunResult, Status } from '../../suites/result.ts';

/** Status of a cause in one run. `known` means that the list of known failures accepts the cause. */
export type CauseState = 'there' | 'known' | 'absent' | 'not-tested';

/** One cause across several runs. */
export interface CauseRow {
  /** Title from the newest run that has the cause. */
  title: string;
  /** The requirement that gives the cause its title. */
  requirement: string;
  /** One status for each run. */
  states: CauseState[];
}

/** The causes of several runs, the oldest run first. New causes of a run follow the causes of earlier runs. */
export function causeRows(runs: readonly Pick<RunResult, 'requirements' | 'exchanges'>[]): CauseRow[] {
  const rows: { causes: (Cause | undefined)[] }[] = [];
  runs.forEach((run, index) => {
    const causes = causesOf(run);
    // Causes with identical titles match first. Otherwise another cause of the same requirement could take the row.
    for (const isSame of [isWordedAlike, isNamedAlike]) {
      for (const cause of causes) {
        if (rows.some((row) => row.causes[index] === cause)) continue;
        const row = rows.find(({ causes: known }) => known[index] === undefined && isSame(cause, latest(known)));
        if (row !== undefined) row.causes[index] = cause;
      }
    }
    for (const cause of causes) {
      if (rows.some((row) => row.causes[index] === cause)) continue;
      const before: (Cause | undefined)[] = Array.from({ length: index }, () => undefined);
      rows.push({ causes: [...before, cause] });
    }
  });
  const statuses = runs.map(({ requirements }) => new Map(requirements.map(({ id, status }) => [id, status])));
  return rows.flatMap(({ causes }) => {
    const cause = latest(causes);
    if (cause === undefined) return [];
    const { id } = cause.requirement;
    const states = statuses.map((known, index) => (causes[index] === undefined ? stateOf(known.get(id)) : 'there'));
    return [{ title: cause.title, requirement: id, states }];
  });
}

const latest = (causes: readonly (Cause | undefined)[]): Cause | undefined =>
  causes.findLast((cause) => cause !== undefined);

const isNamedAlike = (cause: Cause, other: Cause | undefined): boolean =>
  cause.requirement.id === other?.requirement.id;

const isWordedAlike = (cause: Cause, other: Cause | undefined): boolean =>
  isNamedAlike(cause, other) && steady(cause.title) === steady(other?.title ?? '');

function stateOf(status: Status | undefined): CauseState {
  if (status === 'known-failure') return 'known';
  return status === undefined || status === 'not-tested' || status === 'errored' ? 'not-tested' : 'absent';
}

/** How a cause changed from one run to a later run. */
export const causeChanges = ['added', 'revealed', 'remaining', 'gone', 'untested'] as const;

export type CauseChange = (typeof causeChanges)[number];

/** Null if neither run has the cause. */
export function causeChange(before: CauseState, after: CauseState): CauseChange | null {
  const [was, is] = [before, after].map((state) => state === 'there' || state === 'known');
  if (was && is) return 'remaining';
  if (is) return before === 'not-tested' ? 'revealed' : 'added';
  if (was) return after === 'not-tested' ? 'untested' : 'gone';
  return null;
}

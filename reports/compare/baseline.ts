import type { BaselineChanges, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { headlineOf } from '../figures.ts';
import { plain } from '../plain.ts';
import { categories } from './category.ts';
import { compareReports } from './model.ts';
import { notes } from './words.ts';

/** Changes since an earlier run, in the form of `report.json`. Excludes requirements that this run did not select. */
export function changesSince(baseline: RunResult, result: RunResult): BaselineChanges {
  const selected = result.requirements.filter(({ missing = [] }) => !missing.some(({ kind }) => kind === 'selection'));
  const known = new Set(selected.map(({ id }) => id));
  const before = baseline.requirements.filter(({ id }) => known.has(id));
  const comparison = compareReports({ ...baseline, requirements: before }, { ...result, requirements: selected });
  const { baseUrl, label, startedAt, kitVersion } = comparison.before;
  const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);
  const lists = categories.map((category) => [category, idsOf(comparison.changes[category])] as const);
  return {
    baseUrl,
    ...(label === null ? {} : { label }),
    startedAt,
    kitVersion,
    headline: headlineOf(baseline),
    // `categories` contains every category once.
    ...(Object.fromEntries(lists) as Record<(typeof categories)[number], string[]>),
    observations: idsOf(comparison.observations),
    notes: notes(comparison),
  };
}

/** `Since 2026-03-02 (build 41): 1 regression, 2 fixed`. */
export function sinceBaseline({ startedAt, label, ...changes }: BaselineChanges): string {
  const counts = [
    ...(changes.regressions.length > 0 ? [counted(changes.regressions.length, 'regression')] : []),
    ...(changes.otherFailures.length > 0 ? [counted(changes.otherFailures.length, 'new failure')] : []),
    ...(changes.fixes.length > 0 ? [`${changes.fixes.length} fixed`] : []),
    ...(changes.stillFailing.length > 0 ? [`${changes.stillFailing.length} still failing`] : []),
    ...(changes.newlyTested.length > 0 ? [`${changes.newlyTested.length} newly tested`] : []),
    ...(changes.noLongerTested.length > 0 ? [`${changes.noLongerTested.length} no longer tested`] : []),
  ];
  const when = `${startedAt.slice(0, 10)}${label === undefined ? '' : ` (${label})`}`;
  return plain(`Since ${when}: ${counts.length === 0 ? 'no requirement changed' : counts.join(', ')}`);
}

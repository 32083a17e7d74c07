import { type DefectId, defects } from '../../stub/variants/defects/index.ts';
import { severityRank } from '../../suites/causes/order.ts';
import { requirements } from '../../suites/requirements.ts';

/** Result of a run against the stub with several defects. */
export interface Combination {
  readonly defects: readonly DefectId[];
  /** Requirement IDs for each cause; the ID that represents the cause comes first. */
  readonly causes: readonly (readonly string[])[];
}

/**
 * Returns the page `docs/project/causes.md`, which shows how often the number of causes equals the number of defects.
 */
export function combinationsPage(all: readonly Combination[]): string {
  const sizes = [...Map.groupBy(all, (one) => one.defects.length)];
  const unequal = all.filter((one) => one.causes.length !== one.defects.length);
  return `${[
    '# As many causes as defects',
    'This page shows how often a report has one cause for each defect. The figures are from 2026-11-26. In each run, ' +
      'the stub has several random defects. The report is correct if the number of causes equals the number of ' +
      'defects. `node test/detection/combinations.ts FILE` repeats the measurement. The same list of ' +
      'defects yields the same combinations. The measurement omits defects that only generated requests find.',
    [
      '| Defects | Runs | As many causes | Fewer | More | More than twice as many | Named | Worst first |',
      '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      ...sizes.map(([size, runs]) => row(size, runs)),
    ].join('\n'),
    'The authors improved the grouping with these combinations and with runs with a single defect. Of the runs ' +
      'with a single defect, 566 of 573 have one cause. The figures for other servers can be lower. With an ' +
      'earlier version, 93 % of these pairs of defects had two causes. Of 133 pairs that the authors had not used to ' +
      'improve the grouping, 87 % had two causes.',
    '*Named* is the share of defects that violate the main requirement of a cause. *Worst first* is the share of ' +
      'runs whose first cause shows a defect with the highest severity. The severity of a defect is the ' +
      'severity of the main requirement that the defect violates. A cause can be less severe than the defect. ' +
      'For example, a refusal with a wrong code has a low severity.',
    '## Runs with another number of causes',
    'Fewer causes: a defect hides another defect, or both defects change the same part of a response. More ' +
      'causes: a defect changes several unrelated parts.',
    [
      '| Defects | Causes |',
      '| --- | ---: |',
      ...unequal.map((one) => `| ${one.defects.map((id) => `\`${id}\``).join(', ')} | ${one.causes.length} |`),
    ].join('\n'),
  ].join('\n\n')}\n`;
}

function row(size: number, runs: readonly Combination[]): string {
  const share = (part: number, whole = runs.length) => `${((100 * part) / whole).toFixed(0)} %`;
  const having = (test: (one: Combination) => boolean) => share(runs.filter(test).length);
  const named = runs.flatMap((one) => one.defects.map((id) => one.causes.some(([first]) => breaks(id, first))));
  return `| ${[
    size,
    runs.length,
    having(({ causes }) => causes.length === size),
    having(({ causes }) => causes.length < size),
    having(({ causes }) => causes.length > size),
    having(({ causes }) => causes.length > 2 * size),
    share(named.filter((each) => each).length, named.length),
    having(isWorstFirst),
  ].join(' | ')} |`;
}

/** Returns whether the first cause shows one of the worst defects. */
function isWorstFirst({ defects: ids, causes: [first = []] }: Combination): boolean {
  const worst = Math.min(...ids.map(rankOf));
  return ids.some((id) => rankOf(id) === worst && first.some((requirement) => breaks(id, requirement)));
}

function breaks(id: Combination['defects'][number], requirement: string | undefined): boolean {
  return defects[id].breaks.some((each) => each === requirement);
}

/** Ranks violations of `must` before violations of `should`, then by severity. */
function rankOf(id: Combination['defects'][number]): number {
  const about = requirements.find((requirement) => requirement.id === defects[id].breaks[0]);
  if (about === undefined) return Number.POSITIVE_INFINITY;
  return severityRank(about.severity) + (about.level === 'should' ? 100 : 0);
}

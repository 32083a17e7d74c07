import { severityRank } from '../../suites/causes/order.ts';
import { requirements } from '../../suites/requirements.ts';
import { type DefectId, defects } from '../mutations/defects/index.ts';

/** Result of a run against the stub with several defects. */
export interface Combination {
  readonly defects: readonly DefectId[];
  /** Requirement IDs for each cause; the ID that represents the cause comes first. */
  readonly causes: readonly (readonly string[])[];
}

/** Returns a Markdown table of how often the number of causes equals the number of defects, and the other runs. */
export function combinationsText(all: readonly Combination[]): string {
  const unequal = all.filter((one) => one.causes.length !== one.defects.length);
  return [
    '| Defects | Runs | As many causes | Fewer | More | More than twice as many | Named | Worst first |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...[...Map.groupBy(all, (one) => one.defects.length)].map(([size, runs]) => row(size, runs)),
    '',
    ...unequal.map((one) => `${one.causes.length} causes: ${one.defects.join(', ')}`),
  ].join('\n');
}

/**
 * *Named* is the share of defects that violate the main requirement of a cause. *Worst first* is the share of runs
 * whose first cause shows a defect with the highest severity.
 */
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

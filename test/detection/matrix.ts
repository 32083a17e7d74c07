import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { requirements } from '../../suites/requirements.ts';
import { type DefectId, defects } from '../mutations/defects/index.ts';
import type { Observation } from './observe.ts';

/** Result for one defect: the requirements that catch it, and unexpected results. */
export interface Detection {
  readonly id: DefectId;
  readonly what: string;
  /** Requirements that failed or, if only recommended, warned, in the order of the catalogue. */
  readonly caughtBy: readonly RequirementId[];
  /** Broken requirements that this run did not find, because a precondition failed first. */
  readonly hidden: readonly RequirementId[];
  /** Failed requirements that the defect does not break. */
  readonly blamed: readonly RequirementId[];
  /** Requirements without a verdict, because the run received something that it cannot judge. */
  readonly errored: readonly RequirementId[];
}

/** Returns the requirements with one of these statuses, in the order of the catalogue. */
export function endedAs({ outcomes }: Observation, ...statuses: readonly string[]): RequirementId[] {
  return requirements.map(({ id }) => id).filter((id) => statuses.includes(outcomes[id] ?? 'passed'));
}

/** Returns one row for each observed defect. */
export function matrixOf(observations: readonly Observation[]): Detection[] {
  return observations.flatMap((observation) => {
    const { defect: id } = observation;
    if (id === null) return [];
    const { what, breaks } = defects[id];
    const declared = new Set<RequirementId>(breaks);
    const caughtBy = endedAs(observation, 'failed', 'warned');
    const found = new Set(caughtBy);
    return {
      id,
      what,
      caughtBy,
      hidden: breaks.filter((requirement) => !found.has(requirement)),
      blamed: caughtBy.filter((requirement) => !declared.has(requirement)),
      errored: endedAs(observation, 'errored'),
    };
  });
}

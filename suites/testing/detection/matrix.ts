import { type RequirementId, requirements } from '../../../fixtures/requirements/index.ts';
import { type DefectId, defects } from '../../../stub/variants/defects/index.ts';
import type { Observation } from './observe.ts';

/** What became of one defect: by which requirements it was found, and what went wrong with that. */
export interface Detection {
  readonly id: DefectId;
  readonly what: string;
  /** Failed or, where only advised, warned; in the order of the catalogue. */
  readonly caughtBy: readonly RequirementId[];
  /** Broken too, but not found by this run: something that they lean on failed first. */
  readonly hidden: readonly RequirementId[];
  /** Found, although the defect does not break them. */
  readonly blamed: readonly RequirementId[];
  /** Without a verdict because the run met something that it cannot judge. */
  readonly errored: readonly RequirementId[];
}

/** Requirements that an observation ended in one of these ways for, in the order of the catalogue. */
export function endedAs({ outcomes }: Observation, ...statuses: readonly string[]): RequirementId[] {
  return requirements.map(({ id }) => id).filter((id) => statuses.includes(outcomes[id] ?? 'passed'));
}

/** The matrix of defects and requirements, sparse: a row for each defect that was observed. */
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

import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import { requiredIds, selectRequirements } from '../selection.ts';

/** Which requirements are judged, and which must be tested. */
export interface Selection {
  /** Globs or topics of requirements. */
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly require: readonly string[] | undefined;
}

/** The requirements that are judged. Throws a UsageError for patterns that select nothing, of `require` too. */
export function selectedBy({ only, skip, require }: Selection): ReadonlySet<RequirementId> {
  requiredIds(requirements, require);
  return new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
}

import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { requirements } from '../requirements.ts';
import { requiredIds, selectRequirements } from '../selection.ts';

/** Requirements to judge, and requirements that must be tested. */
export interface Selection {
  /** Globs or topics of requirements. */
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly require: readonly string[] | undefined;
}

/**
 * Returns the requirements to judge. Throws a `UsageError` if a pattern selects nothing, including the patterns of
 * `require`.
 */
export function selectedBy({ only, skip, require }: Selection): ReadonlySet<RequirementId> {
  requiredIds(requirements, require);
  return new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
}

import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { type Catalogue, kitCatalogue } from '../catalogue.ts';
import { requiredIds, selectRequirements } from '../selection.ts';

/** Requirements to judge, and requirements that must be tested. */
export interface Selection {
  /** All requirements with their rules. Default: those of the kit. */
  readonly catalogue?: Catalogue | undefined;
  /** Globs or topics of requirements. */
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly require: readonly string[] | undefined;
}

/**
 * Returns the requirements to judge. Throws a `UsageError` if a pattern selects nothing, including the patterns of
 * `require`.
 */
export function selectedBy({ catalogue = kitCatalogue, only, skip, require }: Selection): ReadonlySet<RequirementId> {
  const { requirements } = catalogue;
  requiredIds(requirements, require);
  return new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
}

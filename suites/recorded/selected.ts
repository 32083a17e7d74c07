import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import { requiredIds, selectRequirements } from '../selection.ts';
import type { TrafficOptions } from './options.ts';

/** The requirements that are judged. Throws a UsageError for patterns that select nothing, of `require` too. */
export function selectedBy({ only, skip, require }: TrafficOptions): ReadonlySet<RequirementId> {
  requiredIds(requirements, require);
  return new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
}

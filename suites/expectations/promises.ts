import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';

/** Returns the requirement that guarantees the success of a plain request of this tool. */
export function promisedBy(tool: string | null): RequirementId {
  return tools[tool !== null && isToolName(tool) ? tool : 'schedule.read'].success;
}

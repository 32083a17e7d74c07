import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import { type RequirementId, requirementId } from '../../fixtures/requirements/index.ts';

/** Which requirement promises that a plain request of a tool succeeds. */
export function promisedBy(tool: string | null): RequirementId {
  const { success } = tools[tool !== null && isToolName(tool) ? tool : 'schedule.read'];
  return requirementId(success);
}

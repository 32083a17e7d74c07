import { boundaryErrors, type RefusalRow, refusals } from '../../../fixtures/contract/codes.ts';
import { headers, isOn, type Status } from '../../../fixtures/contract/headers.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';

/** Returns the requirements from contract rows that any response with one of these statuses tests. */
export function witnessesOf(...statuses: readonly Status[]): RequirementId[] {
  return statuses.flatMap((status) => {
    const carried = headers.filter(({ slug, ...row }) => slug !== undefined && isOn(row, status));
    const codes = boundaryErrors.filter((row) => row.status === status && row.fixed);
    return [
      ...carried.map(({ slug }): RequirementId => `headers.${slug}-on-${status}`),
      ...codes.flatMap(({ requirement = [] }) => requirement),
    ];
  });
}

/** Refusals by the service's own rule, which no request provokes reliably. */
const ofServiceRules = refusals.filter(({ excuses }) => excuses);

const yieldedBy = ({ slug }: RefusalRow): RequirementId => `headers.tool-error-on-${slug}`;

/** By requirement ID: the only refusal that tests the requirement. */
export const serviceRefusals: ReadonlyMap<string, RefusalRow> = new Map(
  ofServiceRules.map((row) => [yieldedBy(row), row]),
);

/** Returns the requirements that a refusal of these tools by the service's own rule tests. */
export function witnessesOfServiceRules(...tools: readonly ToolName[]): RequirementId[] {
  return ofServiceRules.filter((row) => tools.includes(refusedTool(row))).map(yieldedBy);
}

export function refusedTool({ only = 'content.create_request' }: RefusalRow): ToolName {
  return only;
}

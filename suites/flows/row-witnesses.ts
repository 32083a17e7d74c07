import { boundaryErrors } from '../../fixtures/contract/codes.ts';
import { headers, isOn, type Status } from '../../fixtures/contract/headers.ts';
import { type RequirementId, requirementId } from '../../fixtures/requirements/index.ts';

/** Requirements that rows of the contract yield, and that any response with one of these statuses tests. */
export function witnessesOf(...statuses: readonly Status[]): RequirementId[] {
  return statuses.flatMap((status) => {
    const carried = headers.filter(({ slug, ...row }) => slug !== undefined && isOn(row, status));
    const codes = boundaryErrors.filter((row) => row.status === status && row.fixed);
    return [
      ...carried.map(({ slug }) => requirementId(`headers.${slug}-on-${status}`)),
      ...codes.flatMap(({ requirement }) => (requirement === undefined ? [] : [requirementId(requirement)])),
    ];
  });
}

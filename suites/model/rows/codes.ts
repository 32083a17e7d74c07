import { type BoundaryRow, boundaryErrors } from '../../../fixtures/contract/codes.ts';
import { row } from '../row.ts';
import type { Rule } from '../rule.ts';
import { isToolRequest } from '../world/scope.ts';

/** Returns the row on the code of every response with a status, if the specification defines that code. */
function codeRows({ status, code, fixed, requirement, role }: BoundaryRow): Rule[] {
  if (!fixed || requirement === undefined) return [];
  const whom = role === undefined ? '' : ` for a key with the role \`${role}\``;
  return [
    row(requirement, {
      must: `The server MUST send the code \`${code}\` with every ${status}${whom}.`,
      source: `Errors, ${status}`,
      judges: 'every response',
      applies: (exchange) =>
        exchange.response.status === status &&
        isToolRequest(exchange) &&
        !exchange.odd &&
        exchange.response.unread === undefined &&
        (role === undefined || exchange.sender.role === role),
      answers: [{ at: { member: ['error', 'code'] }, want: { oneOf: [code] } }],
      hint: `Send the code ${code} with every ${status}.`,
    }),
  ];
}

export const codes: readonly Rule[] = boundaryErrors.flatMap(codeRows);

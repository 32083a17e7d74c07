import { type BoundaryRow, boundaryErrors, type RefusalRow, refusals } from '../../../fixtures/contract/codes.ts';
import type { Rule } from '../../expectations/rule.ts';
import { isRefusal } from '../../history/exchange.ts';
import { isToolRequest } from '../../situations/scope.ts';
import { row } from '../row.ts';

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

/** Returns the row on the additional members of refusals with this code. */
function fieldRows({ code, slug, fields }: RefusalRow): Rule[] {
  if (fields === undefined) return [];
  const members = Object.entries(fields);
  const named = members.map(([name, { type }]) => `the ${type} \`${name}\``).join(' and ');
  return [
    row(`envelopes.${slug}-fields`, {
      must: `With \`${code}\`, the server MUST send ${named}.`,
      source: `Errors, ${code}`,
      judges: 'every refusal',
      applies: (exchange) => isRefusal(exchange, code),
      answers: members.map(([name, { type }]) => ({ at: { member: [name] }, want: { type } })),
      hint: `Send ${named.replaceAll('`', '')} with every ${code}.`,
    }),
  ];
}

export const codes: readonly Rule[] = [...boundaryErrors.flatMap(codeRows), ...refusals.flatMap(fieldRows)];

import { type BoundaryRow, boundaryErrors, type RefusalRow, refusals } from '../../fixtures/contract/codes.ts';
import { requirementId } from '../../fixtures/requirements/index.ts';
import { body, isRefusal } from '../history/exchange.ts';
import { brief, member } from '../json.ts';
import { isToolRequest } from './match/scope.ts';
import type { Rule } from './rule.ts';

/** The code of every response with a status, if the specification fixes it. */
export function codeRule({ status, code, fixed, requirement, role }: BoundaryRow): Rule[] {
  if (!fixed || requirement === undefined) return [];
  return [
    {
      id: requirementId(requirement),
      everyResponse: true,
      applies: (exchange) =>
        exchange.response.status === status &&
        isToolRequest(exchange) &&
        !exchange.odd &&
        exchange.response.unread === undefined &&
        (role === undefined || exchange.sender.role === role),
      expect: (exchange) => {
        const actual = member(exchange.response.json, 'error', 'code');
        if (actual === code) return undefined;
        return {
          expected: `error code "${code}"`,
          actual: `error code ${brief(actual)}`,
          hint: `Send the code ${code} with every ${status}.`,
          exchanges: [exchange],
        };
      },
    },
  ];
}

/** The members that a refusal has because of its code. */
export function fieldsRule({ code, slug, fields }: RefusalRow): Rule[] {
  if (fields === undefined) return [];
  const isOf = (type: string, value: unknown) => (type === 'integer' ? Number.isInteger(value) : typeof value === type);
  return [
    {
      id: requirementId(`envelopes.${slug}-fields`),
      applies: (exchange) => isRefusal(exchange, code),
      expect: (exchange) => {
        const sent = body(exchange);
        const wrong = Object.entries(fields).find(([name, { type }]) => !isOf(type, sent[name]));
        if (wrong === undefined) return undefined;
        const [name, { type }] = wrong;
        return {
          expected: `${name}: ${type}`,
          actual: `${name}: ${brief(sent[name])}`,
          hint: `Send the ${type} ${name} with every ${code}.`,
          exchanges: [exchange],
        };
      },
    },
  ];
}

/** What the rows of codes ask of responses. */
export const fixedCodes: readonly Rule[] = [...boundaryErrors.flatMap(codeRule), ...refusals.flatMap(fieldsRule)];

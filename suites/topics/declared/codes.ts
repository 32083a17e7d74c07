import { type BoundaryRow, boundaryErrors, type RefusalRow, refusals } from '../../../fixtures/contract/codes.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, isRefusal } from '../../history/exchange.ts';
import { brief, member } from '../../json.ts';
import { isToolRequest } from '../../situations/scope.ts';

/** Builds the rule on the code of every response with a status, if the specification defines that code. */
export function codeRule({ status, code, fixed, requirement, role }: BoundaryRow): Rule[] {
  if (!fixed || requirement === undefined) return [];
  const whom = role === undefined ? '' : ` for a key with the role \`${role}\``;
  const statement = `The server MUST send the code \`${code}\` with every ${status}${whom}.`;
  return [
    rule(must(requirement, statement, `Errors, ${status}`), {
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
        };
      },
    }),
  ];
}

/** Builds the rule on the additional members of refusals with this code. */
export function fieldsRule({ code, slug, fields }: RefusalRow): Rule[] {
  if (fields === undefined) return [];
  const members = Object.entries(fields).map(([name, { type }]) => `the ${type} \`${name}\``);
  const statement = `With \`${code}\`, the server MUST send ${members.join(' and ')}.`;
  const isOf = (type: string, value: unknown) => (type === 'integer' ? Number.isInteger(value) : typeof value === type);
  return [
    rule(must(`envelopes.${slug}-fields`, statement, `Errors, ${code}`), {
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
        };
      },
    }),
  ];
}

export const codeRules: readonly Rule[] = [...boundaryErrors.flatMap(codeRule), ...refusals.flatMap(fieldsRule)];

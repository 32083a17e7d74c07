import { statuses } from '../../../fixtures/contract/headers.ts';
import type { Requirement } from '../../../fixtures/requirements/model.ts';
import type { KitFinding } from '../../expectations/finding.ts';
import { type KitJudging, type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed, header, isRefusal } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { isToolRequest } from '../../situations/scope.ts';

export const described: readonly number[] = statuses;

export const isOrdinary = (exchange: Completed) => isToolRequest(exchange) && !exchange.odd;

export const isWhole = ({ response }: Completed) => response.unread === undefined;

export function isJsonType(exchange: Completed): KitFinding | undefined {
  const type = header(exchange, 'content-type');
  if (type === undefined && exchange.response.stripped === true) return undefined;
  if (type !== undefined && /^application\/json *(;|$)/i.test(type)) return undefined;
  return {
    at: { header: 'content-type' },
    want: { oneOf: ['application/json'] },
    got: type,
    expected: 'content-type application/json',
    actual: type === undefined ? 'no header content-type' : `content-type: ${type}`,
    hint: 'Send every response of the tools as application/json. Parameters such as charset are allowed.',
  };
}

/** Builds a rule on all responses of a kind, regardless of the request. */
export function everyResponse(requirement: Requirement, applies: Rule['applies'], expect: KitJudging['expect']): Rule {
  return rule(requirement, { everyResponse: true, applies, expect });
}

/** Builds the rule that an optional array of a refusal has only valid elements. */
export function refusalArray(
  requirement: Requirement,
  field: string,
  of: string,
  good: (value: unknown) => boolean,
  hint: string,
) {
  return rule(requirement, {
    judgesRefusals: true,
    applies: (exchange) => isRefusal(exchange) && body(exchange)[field] !== undefined,
    expect: (exchange) => {
      const value = body(exchange)[field];
      if (Array.isArray(value) && value.every(good)) return undefined;
      return {
        at: { member: [field] },
        got: value,
        expected: `${field} to be an array of ${of}`,
        actual: `${field} ${brief(value)}`,
        hint,
      };
    },
  });
}

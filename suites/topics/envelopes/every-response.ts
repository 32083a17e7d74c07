import { statuses } from '../../../fixtures/contract/headers.ts';
import type { Requirement } from '../../../fixtures/requirements/model.ts';
import type { Finding } from '../../expectations/finding.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed, header, isRefusal } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { isToolRequest } from '../../situations/scope.ts';

export const described: readonly number[] = statuses;

export const isOrdinary = (exchange: Completed) => isToolRequest(exchange) && !exchange.odd;

export const isWhole = ({ response }: Completed) => response.unread === undefined;

export function finding(exchange: Completed, expected: string, actual: string, hint: string): Finding {
  return { expected, actual, hint, exchanges: [exchange] };
}

export function isJsonType(exchange: Completed): Finding | undefined {
  const type = header(exchange, 'content-type');
  if (type === undefined && exchange.response.stripped === true) return undefined;
  if (type !== undefined && /^application\/json *(;|$)/i.test(type)) return undefined;
  return finding(
    exchange,
    'content-type application/json',
    type === undefined ? 'no header content-type' : `content-type: ${type}`,
    'Send every response of the tools as application/json. Parameters such as charset are allowed.',
  );
}

/** Builds a rule on all responses of a kind, regardless of the request. */
export function everyResponse(requirement: Requirement, applies: Rule['applies'], expect: Rule['expect']): Rule {
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
      return finding(exchange, `${field} to be an array of ${of}`, `${field} ${brief(value)}`, hint);
    },
  });
}

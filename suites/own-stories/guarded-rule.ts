import type { Finding } from '../expectations/finding.ts';
import type { Rule, Twin } from '../expectations/rule.ts';
import { isRecord } from '../json.ts';

/** A rule of a team, with checked results. An invalid result throws, so its requirement is errored. */
export function guardedRule(rule: Rule, origin: string): Rule {
  const { twin } = rule;
  return {
    ...rule,
    ...(twin === undefined ? {} : { twin: (exchange, seen) => checkedTwin(twin.call(rule, exchange, seen)) }),
    origin,
    applies(exchange, seen) {
      const applies: unknown = rule.applies(exchange, seen);
      if (typeof applies === 'boolean') return applies;
      throw new TypeError(`applies: expected true or false, got ${kindOf(applies)}`);
    },
    expect(exchange, seen) {
      const finding: unknown = rule.expect(exchange, seen);
      if (finding === undefined || isFinding(finding)) return finding;
      throw new TypeError(`expect: expected a finding or undefined, got ${kindOf(finding)}`);
    },
  };
}

function checkedTwin(twin: Twin): Twin {
  const { succeeded }: { readonly succeeded: unknown } = twin;
  if (typeof succeeded === 'boolean') return twin;
  throw new TypeError('twin: expected an object with `succeeded`: true or false');
}

function isFinding(value: unknown): value is Finding {
  if (!isRecord(value) || !Array.isArray(value.exchanges) || value.exchanges.length === 0) return false;
  return [value.expected, value.actual, value.hint].every((text) => typeof text === 'string');
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (isRecord(value)) return 'an object without expected, actual, hint and exchanges';
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Severity } from '../../fixtures/requirements/model.ts';
import { type JsonRecord, membersOf } from '../json.ts';
import type { ReportedExchange } from '../result.ts';
import { severityRank } from './order.ts';
import type { Symptom } from './symptom.ts';

/** Returns the worst consequence that the symptoms of one cause show. */
export function severityOf(symptoms: readonly Symptom[]): Severity {
  const [worst = 'contract'] = symptoms.map(consequenceOf).sort((a, b) => severityRank(a) - severityRank(b));
  return worst;
}

/**
 * Returns the severity of the requirement if harm was done. A refusal with the wrong form loses no data, money or
 * access.
 */
function consequenceOf(symptom: Symptom): Severity {
  const { severity } = symptom.requirement;
  if (symptom.ofClient) return severity;
  return harmed[severity]?.(symptom) === false ? 'contract' : severity;
}

const harmed: Readonly<Partial<Record<Severity, (symptom: Symptom) => boolean>>> = {
  // A response of a tool means access. A request without access gets a 401 or a 403. A refusal with another code than
  // those of the tools is the wrong form of a 401 or a 403.
  security: ({ exchanges }) => exchanges.length === 0 || exchanges.some((exchange) => isServed(exchange)),
  'spends-money': ({ exchanges, finding, member }) =>
    exchanges.length === 0 ||
    /balance/.test(finding.expected) ||
    (exchanges.some((exchange) => resultOf(exchange).status === 'dispatched') &&
      (member === undefined || !sameValue(finding.expected, finding.actual))),
  'data-isolation': ({ exchanges, finding }) =>
    exchanges.length === 0 ||
    (exchanges.some((exchange) => resultOf(exchange).ok === true) && !isAboutForm(finding.actual)),
};

/** Returns whether a finding is about the form of `workspace` or `working_in`, and does not say where a request ran. */
function isAboutForm(actual: string): boolean {
  return /^(?:working_in|workspace)\b/.test(actual) && !/^(?:working_in\.)?workspace "/.test(actual);
}

function isServed({ response }: ReportedExchange): boolean {
  if (response === null || response.status < 200 || response.status >= 300) return false;
  const { ok, code } = membersOf(response.body);
  return ok !== false || toolCodes.has(code);
}

const toolCodes: ReadonlySet<unknown> = new Set(Object.values(refusalCodes));

function resultOf({ response }: ReportedExchange): JsonRecord {
  return membersOf(response?.body);
}

/**
 * Returns whether only the type differs, as in `count "2"` for `count 2`. The form is then wrong, but the effect is
 * right.
 */
function sameValue(expected: string, actual: string): boolean {
  return expected.replaceAll('"', '') === actual.replaceAll('"', '');
}

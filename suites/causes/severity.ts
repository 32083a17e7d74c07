import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Severity } from '../../fixtures/requirements/model.ts';
import { type JsonRecord, member, membersOf } from '../json.ts';
import type { ReportedExchange, ReportedFinding } from '../result.ts';
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
  'spends-money': ({ exchanges, finding }) =>
    exchanges.length === 0 ||
    exchanges.some(({ tool }) => tool === 'credits.balance') ||
    (exchanges.some((exchange) => resultOf(exchange).status === 'dispatched') && !hasOtherType(finding)),
  'data-isolation': ({ exchanges, finding }) =>
    exchanges.length === 0 || (exchanges.some((exchange) => resultOf(exchange).ok === true) && !isAboutForm(finding)),
};

/** Returns whether a finding is about the form of `workspace` or `working_in`, and does not say where a request ran. */
function isAboutForm({ at = '', got }: ReportedFinding): boolean {
  const saysWhere = at === 'body workspace' || at === 'body working_in.workspace';
  return at.startsWith('body work') && !(saysWhere && typeof got === 'string');
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

/** Returns whether only the type differs, as in `"2"` for 2. The form is then wrong, but the effect is right. */
function hasOtherType({ want, got }: ReportedFinding): boolean {
  const allowed = member(want, 'oneOf');
  return Array.isArray(allowed) && allowed.some((value) => value !== got && String(value) === String(got));
}

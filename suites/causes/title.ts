import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { isRecord, member as memberAt, parsed, shorten } from '../json.ts';
import type { ReportedExchange } from '../result.ts';
import type { Violation } from '../situations/violations.ts';
import type { Symptom } from './symptom.ts';

/** Maximum length of a value in a title. The finding shows longer values in full. */
const valueShown = 60;

/** Returns one line on what the server does: which responses differ, and how. */
export function titleOf(first: Symptom, symptoms: readonly Symptom[]): string {
  const { expected, actual } = first.finding;
  const alike = symptoms.filter(
    (one) => one.requirement.id === first.requirement.id || one.expected === first.expected,
  );
  const exchanges = alike.flatMap((symptom) => symptom.exchanges.slice(-1));
  if (first.ofClient) return `${first.requirement.id}: ${inBrief(actual)}`;
  // The report has no exchanges.
  if (exchanges.length === 0) return `${capitalized(inBrief(actual))}; expected ${inBrief(expected)}`;
  if (first.header !== undefined) return `${responsesOf(alike)} ${headerText(actual)}`;
  return (
    formText(first, alike) ??
    decisionText(first, exchanges) ??
    comparisonText(first, exchanges) ??
    differenceText(first, exchanges)
  );
}

function headerText(actual: string): string {
  const missing = /^no header ([\w-]+)/.exec(actual)?.[1];
  return missing === undefined ? `have ${code(actual)}` : `have no \`${missing}\``;
}

/** Describes what is wrong with the form of responses. */
function formText({ requirement, finding: { actual } }: Symptom, alike: readonly Symptom[]): string | undefined {
  const exchanges = alike.flatMap((symptom) => symptom.exchanges);
  switch (requirement.id) {
    case 'envelopes.ok-boolean':
      return `${responsesOf(alike)} have ${actual.endsWith('(missing)') ? 'no `ok`' : code(actual)}`;
    case 'envelopes.no-server-error':
      return `${toolsOf(exchanges, 'fail')} with ${actual}`;
    case 'envelopes.outcome-is-200':
      if (exchanges.every(hasError))
        return `Responses with status ${statusesOf(exchanges)} have \`ok\` beside \`error\``;
      return `${responsesOf(alike)} have status ${statusesOf(exchanges)} instead of 200`;
    case 'envelopes.refusal-code':
      return `Refusals of ${toolsOf(exchanges)} have ${actual.endsWith('(missing)') ? 'no `code`' : code(actual)}`;
    case 'envelopes.boundary-error':
      return `Responses with status ${statusesOf(exchanges)} have no \`error\` with \`code\` and \`message\``;
    default:
      return undefined;
  }
}

/** The confirmation ID that the server must refuse. */
const presentedIds: Readonly<Record<string, string>> = {
  'confirmations.used-invalid': 'a used confirmation ID',
  'confirmations.used-stays-invalid': 'a used confirmation ID',
  'confirmations.never-issued-invalid': 'a confirmation ID that was never issued',
  'confirmations.expired-invalid': 'an expired confirmation ID',
  'confirmations.other-workspace-invalid': 'a confirmation ID of another workspace',
  'confirmations.other-account-invalid': 'a confirmation ID of another account',
} satisfies Partial<Record<RequirementId, string>>;

/** Describes the decision of the server and the required decision. */
function decisionText(first: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const { expected, actual } = first.finding;
  const due = /^HTTP 200 with ok false, code "(.*)"$/.exec(expected)?.[1];
  const refusal = /^HTTP 200 with ok false, code "(.*)"$/.exec(actual)?.[1];
  const status = /^HTTP (\d{3})\b/.exec(expected)?.[1];
  if (actual.startsWith('HTTP 200 with ok true')) {
    if (due === refusalCodes.invalidArguments) return `${toolsOf(exchanges, 'accept')} ${invalidText(first)}`;
    const done = actual.includes('status "dispatched"') ? 'dispatch' : 'succeed';
    const to = credentialText(first);
    const presented = presentedIds[first.requirement.id];
    if (done === 'dispatch' && presented !== undefined) return `${toolsOf(exchanges, done)} for ${presented}`;
    if (due !== undefined) return `${toolsOf(exchanges, done)} where the response must be \`${due}\``;
    if (status !== undefined && status !== '200')
      return `${toolsOf(exchanges, done)}${to} instead of returning ${status}`;
    if (expected.startsWith('HTTP 200 with ok false')) return `${toolsOf(exchanges, done)} where a refusal is due`;
  }
  if (refusal === undefined) return undefined;
  if (due !== undefined) return `${toolsOf(exchanges, 'return')} \`${refusal}\` instead of \`${due}\``;
  if (/\bok true\b/.test(expected)) return `${toolsOf(exchanges, 'refuse')} a valid request with \`${refusal}\``;
  return undefined;
}

/** Describes the difference between two responses that must be identical. */
function comparisonText({ finding, requirement }: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const { expected, actual } = finding;
  const ofUnknownTools = requirement.topic === 'unknown-tools';
  if (expected === 'a body without the requested name') {
    return `${ofUnknownTools ? 'Responses to unknown tools repeat' : toolsOf(exchanges, 'repeat')} the requested name`;
  }
  const part = /^([\w.-]+): /.exec(actual)?.[1];
  if (expected.startsWith('the response to an id that was never issued') && part !== undefined) {
    return `${toolsOf(exchanges, 'return')} another \`${part}\` than to an id that was never issued`;
  }
  const [, what, otherTool = '', other] = /^the (body|headers) of (\S+) with (.+?)(?:: | \()/.exec(expected) ?? [];
  if (what === undefined) return undefined;
  if (ofUnknownTools) return `Responses to unknown tools have different ${what === 'body' ? 'bodies' : 'headers'}`;
  const own = /^\S+ with (.+?): /.exec(actual)?.[1];
  const differing = what === 'body' ? 'another body' : 'other headers';
  const than = own === undefined || own === other ? code(otherTool) : `with ${other}`;
  return `${toolsOf(exchanges, 'return')} ${differing}${own === undefined ? '' : ` with ${own}`} than ${than}`;
}

/** Describes the actual and the expected response in the words of the finding. */
function differenceText(first: Symptom, exchanges: readonly ReportedExchange[]): string {
  const { expected, actual } = first.finding;
  const [, member, text] = /^([a-z_]+) "(.*)"$/.exec(actual) ?? [];
  if (member !== undefined && expected === `${member} ${text}`)
    return `${toolsOf(exchanges, 'return')} ${code(member)} as a string`;
  const isValue = /^(?:HTTP|[a-z_.[\]\d]+ (?:\(missing\)|null|true|false|["[{\d-]))/.test(actual);
  const came = `${toolsOf(exchanges, 'return')}${isValue ? '' : ':'} ${inBrief(actual)}`;
  return `${came}${credentialText(first)}; expected ${inBrief(expected)}`;
}

const violations: Readonly<Record<Violation, string>> = {
  missing: 'a request without',
  type: 'a wrong type of',
  fraction: 'a fraction as',
  'too-short': 'too short a',
  'too-long': 'too long a',
  pattern: 'a wrong form of',
  value: 'an unknown value of',
  property: 'the unknown property',
};

function invalidText({ invalid }: Symptom): string {
  return invalid === undefined
    ? 'invalid arguments'
    : `${violations[invalid.how]} \`${shorten(invalid.field, valueShown)}\``;
}

/** Names the credential if the requirement is about credentials. */
function credentialText({ exchanges, requirement }: Symptom): string {
  const label = exchanges.at(-1)?.credential;
  return label === undefined || !['authentication', 'surface'].includes(requirement.topic) ? '' : ` with ${label}`;
}

/** `` `board_not_found` responses ``, `Responses with status 400`, or `Responses of` a tool. */
function responsesOf(symptoms: readonly Symptom[]): string {
  const exchanges = symptoms.flatMap((symptom) => symptom.exchanges);
  // Codes of error responses contain a dot and say no more than the status.
  const codes = new Set(exchanges.map(codeOf));
  const [only] = codes;
  const statuses = statusesOf(exchanges);
  if (codes.size === 1 && only !== undefined && !only.includes('.')) return `\`${only}\` responses`;
  if (statuses !== '200' || new Set(exchanges.map(({ tool }) => tool)).size > 2)
    return `Responses with status ${statuses}`;
  return `Responses of ${toolsOf(exchanges)}`;
}

function statusesOf(exchanges: readonly ReportedExchange[]): string {
  return [...new Set(exchanges.flatMap(({ response }) => response?.status ?? []))].sort().join(', ');
}

/** `` `schedule.read` returns ``, `5 tools return`. */
function toolsOf(exchanges: readonly ReportedExchange[], verb = ''): string {
  const tools = [...new Set(exchanges.map(({ tool }) => tool ?? 'another path'))].map((tool) => code(tool));
  const names = tools.length > 2 ? `${tools.length} tools` : tools.join(' and ');
  return verb === '' ? names : `${names} ${tools.length > 1 ? verb : thirdPerson(verb)}`;
}

function thirdPerson(verb: string): string {
  return verb.endsWith('h') ? `${verb}es` : `${verb}s`;
}

const hasError = ({ response }: ReportedExchange): boolean => isRecord(memberAt(parsed(response?.body), 'error'));

function codeOf({ response }: ReportedExchange): string | undefined {
  const json = parsed(response?.body);
  const found = memberAt(json, 'code') ?? memberAt(json, 'error', 'code');
  return typeof found === 'string' && /^[\w.-]{1,60}$/.test(found) ? found : undefined;
}

function code(text: string): string {
  return `\`${shorten(text, valueShown)}\``;
}

function inBrief(text: string): string {
  return shorten(text, 2 * valueShown);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

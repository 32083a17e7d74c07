import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { ReportedExchange } from '../result.ts';
import type { Violation } from '../situations/violations.ts';
import type { Symptom } from './symptom.ts';
import { differenceText, outcomeOf } from './title-difference.ts';
import {
  capitalized,
  code,
  credentialText,
  credentialWords,
  hasError,
  inBrief,
  responsesOf,
  statusesOf,
  toolsOf,
} from './title-words.ts';

/** Returns one line on what the server does: which responses differ, and how. */
export function titleOf(first: Symptom, symptoms: readonly Symptom[]): string {
  const { expected, actual } = first.finding;
  const alike = symptoms.filter((one) => one.requirement.id === first.requirement.id || one.due === first.due);
  const exchanges = alike.flatMap((symptom) => symptom.exchanges.slice(-1));
  if (first.ofClient) return `${first.requirement.id}: ${inBrief(actual)}`;
  // The report has no exchanges.
  if (exchanges.length === 0) return `${capitalized(inBrief(actual))}; expected ${inBrief(expected)}`;
  if (first.header !== undefined) return `${responsesOf(alike)} ${headerText(actual)}`;
  const text =
    formText(first, alike) ??
    decisionText(first, exchanges) ??
    comparisonText(first, exchanges) ??
    differenceText(first, exchanges);
  return first.requirement.topic === 'unknown-tools' ? text.replace(/^\d+ (?=tools)/, '$&unknown ') : text;
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
    case 'authentication.own-key-decides':
      return 'Responses of different keys are mixed up';
    case 'envelopes.answers-every-request':
      return `${toolsOf(exchanges, 'close')} the connection without a response`;
    case 'envelopes.no-server-error':
      return `${toolsOf(exchanges, 'fail')} with ${outcomeOf(actual) ?? inBrief(actual)}`;
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

/** What the server must refuse. */
const refusedThings: Readonly<Record<string, string>> = {
  'confirmations.used-invalid': 'a used confirmation ID',
  'confirmations.used-stays-invalid': 'a used confirmation ID',
  'confirmations.never-issued-invalid': 'a confirmation ID that was never issued',
  'confirmations.expired-invalid': 'an expired confirmation ID',
  'confirmations.other-workspace-invalid': 'a confirmation ID of another workspace',
  'confirmations.other-account-invalid': 'a confirmation ID of another account',
  'image-proposals.board-elsewhere-refused': 'a board of another workspace',
  'image-proposals.board-unknown-refused': 'a board that does not exist',
  'library.unknown-id-refused': 'the ID of an item that does not exist',
  'workspaces.unknown-refused': 'a workspace that does not exist',
  'workspaces.unreachable-refused': 'a workspace of another account',
  'image-proposals.workspace-unknown-refused': 'a workspace that does not exist',
  'image-proposals.workspace-unreachable-refused': 'a workspace of another account',
  'content-requests.workspace-unknown-refused': 'a workspace that does not exist',
  'content-requests.workspace-unreachable-refused': 'a workspace of another account',
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
    const refused = refusedThings[first.requirement.id];
    if (refused !== undefined && done === 'dispatch') return `${toolsOf(exchanges, done)} for ${refused}`;
    if (refused !== undefined) return `${toolsOf(exchanges, 'accept')} ${refused}`;
    if (due !== undefined) return `${toolsOf(exchanges, done)} instead of returning \`${due}\``;
    if (status !== undefined && status !== '200')
      return `${toolsOf(exchanges, done)}${to} instead of returning ${status}`;
    if (expected.startsWith('HTTP 200 with ok false'))
      return `${toolsOf(exchanges, 'accept')} a request that must be refused`;
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
  if (expected.startsWith('the response to an ID that was never issued') && part !== undefined) {
    return `${toolsOf(exchanges, 'return')} another \`${part}\` than to an ID that was never issued`;
  }
  const [, what, otherTool = '', other] = /^the (body|headers) of (\S+) with (.+?)(?:: | \()/.exec(expected) ?? [];
  if (what === undefined) return undefined;
  if (ofUnknownTools) return `Responses to unknown tools have different ${what === 'body' ? 'bodies' : 'headers'}`;
  const own = /^\S+ with (.+?): /.exec(actual)?.[1];
  const differing = what === 'body' ? 'another body' : 'other headers';
  const than = own === undefined || own === other ? code(otherTool) : `with ${credentialWords(other ?? '')}`;
  const key = own === undefined ? '' : ` with ${credentialWords(own)}`;
  return `${toolsOf(exchanges, 'return')} ${differing}${key} than ${than}`;
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
  return invalid === undefined ? 'invalid arguments' : `${violations[invalid.how]} ${code(invalid.field)}`;
}

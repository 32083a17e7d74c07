import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { brief, isRecord, type JsonRecord, member, parsed, truncated } from '../json.ts';
import type { Violation } from '../model/world/violations.ts';
import type { ReportedExchange } from '../result.ts';
import type { Symptom } from './symptom.ts';

/** Returns one line on what the server does: which responses differ, and how. */
export function titleOf(first: Symptom, symptoms: readonly Symptom[]): string {
  const { finding, header, ofClient, requirement } = first;
  const { expected, actual } = finding;
  const alike = symptoms.filter((one) => one.requirement.id === requirement.id || one.due === first.due);
  const exchanges = alike.flatMap((symptom) => symptom.exchanges.slice(-1));
  if (ofClient) return `${requirement.id}: ${inBrief(actual)}`;
  // The report has no exchanges.
  if (exchanges.length === 0) return `${capitalized(inBrief(actual))}; expected ${inBrief(expected)}`;
  if (header !== undefined)
    return `${responsesOf(alike)} have ${finding.got === undefined ? `no \`${header}\`` : code(actual)}`;
  return (
    formText(first, alike) ??
    comparisonText(first, exchanges) ??
    decisionText(first, alike, exchanges) ??
    outcomeText(first, exchanges) ??
    memberText(first, exchanges) ??
    `${toolsOf(exchanges, 'return')}: ${inBrief(actual)}; expected ${inBrief(expected)}`
  );
}

/** Describes what is wrong with the form of responses. */
function formText(
  { requirement, outcome, oddity, finding: { actual, got } }: Symptom,
  alike: readonly Symptom[],
): string | undefined {
  const exchanges = alike.flatMap((symptom) => symptom.exchanges);
  const failure = inShort(outcome)?.concat(oddity && ` for ${oddity}`);
  switch (requirement.id) {
    case 'envelopes.ok-boolean':
      return `${responsesOf(alike)} have ${got === undefined ? 'no `ok`' : code(actual)}`;
    case 'authentication.own-key-decides':
      return 'Responses of different keys are mixed up';
    case 'envelopes.answers-every-request':
      return `${toolsOf(exchanges, 'close')} the connection without a response`;
    case 'envelopes.no-server-error':
      return `${toolsOf(exchanges, 'fail')} with ${failure ?? inBrief(actual)}`;
    case 'envelopes.outcome-is-200':
      if (exchanges.every(hasError))
        return `Responses with status ${statusesOf(exchanges)} have \`ok\` beside \`error\``;
      return `${responsesOf(alike)} have status ${statusesOf(exchanges)} instead of 200`;
    case 'envelopes.refusal-code':
      return `Refusals of ${toolsOf(exchanges)} have ${got === undefined ? 'no `code`' : code(actual)}`;
    case 'envelopes.boundary-error':
      return `Responses with status ${statusesOf(exchanges)} have no \`error\` with \`code\` and \`message\``;
    default:
      return undefined;
  }
}

/** Describes the difference between two responses that must be identical. */
function comparisonText({ finding, requirement, exchanges: [one, other] }: Symptom, all: readonly ReportedExchange[]) {
  if (requirement.id === 'unknown-tools.name-not-in-body')
    return 'Responses to unknown tools repeat the requested name';
  const { sameFor, part } = isRecord(finding.want) ? finding.want : {};
  if (sameFor === undefined || one === undefined || other === undefined) return undefined;
  if (sameFor === 'every invalid ID')
    return `${toolsOf(all, 'return')} another ${code(String(part))} than to an ID that was never issued`;
  if (requirement.topic === 'unknown-tools')
    return `Responses to unknown tools have different ${part === 'body' ? 'bodies' : 'headers'}`;
  const differing = part === 'body' ? 'another body' : 'other headers';
  const isSameKey = one.credential === other.credential;
  const than = isSameKey ? code(String(one.tool)) : `for ${code(one.credential)}`;
  return `${toolsOf(all, 'return')} ${differing} for ${code(other.credential)} than ${than}`;
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
function decisionText(
  first: Symptom,
  alike: readonly Symptom[],
  exchanges: readonly ReportedExchange[],
): string | undefined {
  const { finding, outcome, requirement, wanted } = first;
  if (outcome.ok === true) {
    const done = toolsOf(exchanges, outcome.result === 'dispatched' ? 'dispatch' : 'succeed');
    if (wanted.code === refusalCodes.invalidArguments)
      return `${toolsOf(exchanges, 'accept')} ${invalidText(first, alike)}`;
    if (typeof outcome.beside === 'string')
      return `${done} with ${cut(outcome.beside)}; expected ${inBrief(finding.expected)}`;
    const refused = refusedThings[requirement.id];
    if (refused !== undefined)
      return outcome.result === 'dispatched' ? `${done} for ${refused}` : `${toolsOf(exchanges, 'accept')} ${refused}`;
    if (wanted.code !== undefined) return `${done} instead of returning ${code(String(wanted.code))}`;
    if (wanted.ok === false) return `${toolsOf(exchanges, 'accept')} a request that must be refused`;
    if (typeof wanted.status === 'number' && wanted.status !== 200)
      return `${done}${credentialText(first)} instead of returning ${wanted.status}`;
  }
  if (outcome.ok !== false || typeof outcome.code !== 'string') return undefined;
  const refusal = code(outcome.code);
  if (wanted.code !== undefined)
    return `${toolsOf(exchanges, 'return')} ${refusal} instead of ${code(String(wanted.code))}`;
  return wanted.ok === true ? `${toolsOf(exchanges, 'refuse')} a valid request with ${refusal}` : undefined;
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

/** Most fields that a title names. */
const mostFields = 3;

function invalidText({ invalid }: Symptom, alike: readonly Symptom[]): string {
  if (invalid === undefined) return 'invalid arguments';
  const fields = new Set(alike.flatMap((other) => (other.invalid?.how === invalid.how ? other.invalid.field : [])));
  const shown = [...fields].slice(0, mostFields).map(code).join(', ');
  return `${violations[invalid.how]} ${shown}${fields.size > mostFields ? ' and others' : ''}`;
}

/** A response in short: its status, the code of a refusal, or the state of a result. */
function inShort({ status, ok, code: refusal, error, result, unusable }: JsonRecord): string | undefined {
  if (unusable !== undefined || status === undefined) return undefined;
  if (ok === false) return typeof refusal === 'string' ? code(refusal) : undefined;
  if (ok === true) return typeof result === 'string' ? `status ${code(result)}` : 'a result';
  const [only, another] = [error].flat();
  if (ok !== undefined || another !== undefined) return undefined;
  return only === undefined ? String(status) : `${status} ${code(String(only))}`;
}

/** Describes a response that differs as a whole, and the expected one if the difference does not make it obvious. */
function outcomeText(first: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const { finding, outcome, wanted } = first;
  if (finding.at !== 'response') return undefined;
  const came = outcome.ok === undefined && outcome.error === undefined ? undefined : inShort(outcome);
  const due = inShort(wanted);
  const returned = `${toolsOf(exchanges, 'return')} ${came ?? inBrief(finding.actual)}`;
  if (came !== undefined && due !== undefined) return `${returned} instead of ${due}${credentialText(first)}`;
  return `${returned}${came === undefined ? '' : credentialText(first)}; expected ${inBrief(finding.expected)}`;
}

/** Describes a member that is missing, or that has another value than allowed. */
function memberText(
  { exchanges: own, finding, path }: Symptom,
  exchanges: readonly ReportedExchange[],
): string | undefined {
  const { want, got } = finding;
  if (path === undefined) return undefined;
  const { names, oneOf } = isRecord(want) ? want : {};
  if (names !== undefined)
    return `${toolsOf(exchanges, 'do')} not name the invalid field ${code(String(names))} in ${code(path)}`;
  if (got === undefined) return `${toolsOf(exchanges, 'return')} no ${code(path)}`;
  const returned = `${toolsOf(exchanges, 'return')} ${code(path)} ${shown(got)}`;
  const [due = null, other] = Array.isArray(oneOf) ? oneOf : [];
  if (due === null || other !== undefined || typeof due !== typeof got || isAlike(due, got))
    return `${returned}; expected ${inBrief(finding.expected)}`;
  const requested = member(parsed(own.at(-1)?.request.body), 'workspace');
  if (path === 'workspace' && due === requested)
    return `${toolsOf(exchanges, 'run')} in workspace ${shown(got)} although the request names ${shown(due)}`;
  return `${returned} instead of ${shown(due)}`;
}

const shown = (value: unknown) => (typeof value === 'object' ? code(brief(value)) : inBrief(brief(value)));

/** Whether a person cannot tell two texts apart. The finding shows their code points. */
const isAlike = (one: unknown, other: unknown) => String(one).normalize('NFKC') === String(other).normalize('NFKC');

/** Maximum length of a value in a title. The finding shows longer values in full. */
const valueShown = 60;

/** Names the credential if the requirement is about credentials. */
function credentialText({ exchanges, requirement }: Symptom): string {
  const label = exchanges.at(-1)?.credential;
  if (label === undefined || !['authentication', 'surface'].includes(requirement.topic)) return '';
  return ` for ${code(label)}`;
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
  const tools = [...new Set(exchanges.map(({ tool }) => tool ?? 'another path'))];
  const noun = tools.some(isToolName) ? 'tools' : 'unknown tools';
  const names = tools.length > 2 ? `${tools.length} ${noun}` : tools.map(code).join(' and ');
  return verb === '' ? names : `${names} ${tools.length > 1 ? verb : thirdPerson(verb)}`;
}

function thirdPerson(verb: string): string {
  return /(?:h|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

const hasError = ({ response }: ReportedExchange): boolean => isRecord(member(parsed(response?.body), 'error'));

function codeOf({ response }: ReportedExchange): string | undefined {
  const json = parsed(response?.body);
  const found = member(json, 'code') ?? member(json, 'error', 'code');
  return typeof found === 'string' && /^[\w.-]{1,60}$/.test(found) ? found : undefined;
}

function code(text: string): string {
  return `\`${cut(text)}\``;
}

function inBrief(text: string): string {
  return truncated(text, 2 * valueShown);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cuts a long text. The finding shows all of it, or its length. */
const cut = (text: string): string => truncated(text, valueShown);

import { isToolName } from '../../fixtures/contract/tools.ts';
import { isRecord, member as memberAt, parsed, truncated } from '../json.ts';
import type { ReportedExchange } from '../result.ts';
import type { Symptom } from './symptom.ts';

/** Maximum length of a value in a title. The finding shows longer values in full. */
const valueShown = 60;

/** Names the credential if the requirement is about credentials. */
export function credentialText({ exchanges, requirement }: Symptom): string {
  const label = exchanges.at(-1)?.credential;
  if (label === undefined || !['authentication', 'surface'].includes(requirement.topic)) return '';
  return ` for ${code(label)}`;
}

/** `` `board_not_found` responses ``, `Responses with status 400`, or `Responses of` a tool. */
export function responsesOf(symptoms: readonly Symptom[]): string {
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

export function statusesOf(exchanges: readonly ReportedExchange[]): string {
  return [...new Set(exchanges.flatMap(({ response }) => response?.status ?? []))].sort().join(', ');
}

/** `` `schedule.read` returns ``, `5 tools return`. */
export function toolsOf(exchanges: readonly ReportedExchange[], verb = ''): string {
  const tools = [...new Set(exchanges.map(({ tool }) => tool ?? 'another path'))];
  const noun = tools.some(isToolName) ? 'tools' : 'unknown tools';
  const names = tools.length > 2 ? `${tools.length} ${noun}` : tools.map(code).join(' and ');
  return verb === '' ? names : `${names} ${tools.length > 1 ? verb : thirdPerson(verb)}`;
}

function thirdPerson(verb: string): string {
  return /(?:h|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

export const hasError = ({ response }: ReportedExchange): boolean =>
  isRecord(memberAt(parsed(response?.body), 'error'));

function codeOf({ response }: ReportedExchange): string | undefined {
  const json = parsed(response?.body);
  const found = memberAt(json, 'code') ?? memberAt(json, 'error', 'code');
  return typeof found === 'string' && /^[\w.-]{1,60}$/.test(found) ? found : undefined;
}

export function code(text: string): string {
  return `\`${cut(text)}\``;
}

export function inBrief(text: string): string {
  return truncated(text, 2 * valueShown);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cuts a long text. The finding shows all of it, or its length. */
export const cut = (text: string): string => truncated(text, valueShown);

import { type Role, roles } from '../../fixtures/roles.ts';
import { isRecord, member as memberAt, parsed, shorten } from '../json.ts';
import type { ReportedExchange } from '../result.ts';
import type { Symptom } from './symptom.ts';

/** Maximum length of a value in a title. The finding shows longer values in full. */
const valueShown = 60;

/** Names the credential if the requirement is about credentials. */
export function credentialText({ exchanges, requirement }: Symptom): string {
  const label = exchanges.at(-1)?.credential;
  if (label === undefined || !['authentication', 'surface'].includes(requirement.topic)) return '';
  return ` with ${credentialWords(label)}`;
}

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** `` the `primary` key (scheme Token) `` for the label `primary, scheme Token`. */
export function credentialWords(label: string): string {
  const [, role = '', change] = /^(\w+)(?:, (.*))?$/.exec(label) ?? [];
  if (!isRole(role)) return label === 'unknown key' ? 'an unknown key' : label;
  return `the ${code(role)} key${change === undefined ? '' : ` (${cut(change)})`}`;
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
  const tools = [...new Set(exchanges.map(({ tool }) => tool ?? 'another path'))].map((tool) => code(tool));
  const names = tools.length > 2 ? `${tools.length} tools` : tools.join(' and ');
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
  return cut(text, 2 * valueShown);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cuts a long text without its length, which the finding shows. */
export function cut(text: string, most = valueShown): string {
  const lengths = /… \(\d+ characters in total\)/g;
  return shorten(text.replace(lengths, '…'), most).replace(lengths, '…');
}

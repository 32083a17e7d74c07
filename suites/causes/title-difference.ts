import type { ReportedExchange } from '../result.ts';
import type { Symptom } from './symptom.ts';
import { code, credentialText, cut, inBrief, statusesOf, toolsOf } from './title-words.ts';

/** Describes the actual response, and the expected response if the actual one does not make it obvious. */
export function differenceText(first: Symptom, exchanges: readonly ReportedExchange[]): string {
  const { expected, actual } = first.finding;
  return (
    outcomeText(first, exchanges) ??
    workspaceText(first, exchanges) ??
    memberText(first, exchanges) ??
    absenceText(first, exchanges) ??
    countText(first, exchanges) ??
    `${toolsOf(exchanges, 'return')}${actual.startsWith('HTTP') ? '' : ':'} ${inBrief(actual)}; ` +
      `expected ${inBrief(expected)}`
  );
}

/** A response in short: its status, or the code of a refusal. Undefined for other texts. */
export function outcomeOf(text: string): string | undefined {
  const refusal = /^HTTP 200 with ok false, code "([^"]*)"$/.exec(text)?.[1];
  if (refusal !== undefined) return code(refusal);
  const [whole, status, errorCode] = /^HTTP (\d{3})(?: with error code "([^"]*)")?$/.exec(text) ?? [];
  if (whole !== undefined) return errorCode === undefined ? status : `${status} ${code(errorCode)}`;
  const errorOnly = /^error code "([^"]*)"$/.exec(text)?.[1];
  if (errorOnly !== undefined) return `error code ${code(errorOnly)}`;
  const state = /^(?:HTTP 200 with )?ok true(?:,| with) status "([^"]*)"$/.exec(text)?.[1];
  if (state !== undefined) return `status ${code(state)}`;
  return text === 'HTTP 200 with ok true' ? 'a result' : undefined;
}

/** Describes a response that differs as a whole. */
function outcomeText(first: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const { expected, actual } = first.finding;
  if (actual.startsWith('HTTP 200 with ok true')) {
    const refused = /^(?:\S+ )?to refuse (.+)$/.exec(expected)?.[1];
    if (refused !== undefined) return `${toolsOf(exchanges, 'accept')} ${inBrief(refused)}`;
    const presented = /status "dispatched", with (.+)$/.exec(actual)?.[1];
    if (presented !== undefined) {
      return `${toolsOf(exchanges, 'dispatch')} with ${cut(presented)}; expected ${inBrief(expected)}`;
    }
  }
  const [came, due] = [outcomeOf(actual), outcomeOf(expected)];
  if (came === undefined) return undefined;
  const returned = `${toolsOf(exchanges, 'return')} ${came}`;
  if (due !== undefined) return `${returned} instead of ${due}${credentialText(first)}`;
  return `${returned}${credentialText(first)}; expected ${inBrief(expected)}`;
}

/** Describes a request that ran in another workspace than the one that it names. */
function workspaceText({ finding }: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const requested = /^workspace (".*"), as in the request$/.exec(finding.expected)?.[1];
  const actual = /^workspace (".*")$/.exec(finding.actual)?.[1];
  if (requested === undefined || actual === undefined) return undefined;
  return `${toolsOf(exchanges, 'run')} in workspace ${actual} although the request names ${inBrief(requested)}`;
}

/** A path in a body, such as `items[0].id`, and a value or a rule. */
const placed = /^(?:[a-z_.]+: )?([a-z_]+(?:\[\d*\]|\.\w+)*) (.+)$/;

/** Describes a member that has another value than expected. */
function memberText({ finding }: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const [, path = '', value = ''] = placed.exec(finding.actual) ?? [];
  const [, place, rule = ''] = placed.exec(finding.expected) ?? [];
  if (path === '' || place !== path.replace(/\[\d+\]/g, '[]')) return undefined;
  if (value === '(missing)') return `${toolsOf(exchanges, 'return')} no ${code(place)}`;
  if (!/^(?:null|true|false|["[{\d-])/.test(value)) return undefined;
  if (value === `"${rule}"`) return `${toolsOf(exchanges, 'return')} ${code(place)} as a string`;
  const due = rule.replace(/^(?:to be|to list|of) /, '').replace(/^with /, 'an object with ');
  const remark = /^".*", .*[^"]$/.test(value) ? ',' : '';
  const shown = /^[[{]/.test(value) ? code(value) : inBrief(value);
  return `${toolsOf(exchanges, 'return')} ${code(place)} ${shown}${remark} instead of ${inBrief(due)}`;
}

/** Describes a member that is missing, or that a response must not have. */
function absenceText({ finding }: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const { expected, actual } = finding;
  const [, missing, parent = ''] = /^no (\w+)(?: in (?:the body|([a-z_]+)).*)?$/.exec(actual) ?? [];
  if (missing !== undefined) {
    return `${toolsOf(exchanges, 'return')} ${parent === '' ? 'no' : `${code(parent)} without`} ${code(missing)}`;
  }
  const additional = /^also ([\w.]+)$/.exec(actual)?.[1];
  if (additional !== undefined) return `${toolsOf(exchanges, 'return')} the additional member ${code(additional)}`;
  const unwanted = /^no ([a-z_]+)$/.exec(expected)?.[1];
  if (unwanted !== undefined && actual.startsWith(`${unwanted} `)) {
    const status = `status ${statusesOf(exchanges)}, which must not have it`;
    return `${toolsOf(exchanges, 'return')} ${code(unwanted)} with ${status}`;
  }
  const unnamed = /^"(.+)" is invalid, and the issues are /.exec(actual)?.[1];
  return unnamed === undefined
    ? undefined
    : `${toolsOf(exchanges, 'do')} not name the invalid field ${code(unnamed)} in ${code('issues')}`;
}

/** Describes a number of entries or dispatches, or a value that must differ each time. */
function countText({ finding }: Symptom, exchanges: readonly ReportedExchange[]): string | undefined {
  const { expected, actual } = finding;
  const entries = /^(\d+) entries$/.exec(actual)?.[1];
  const [, due, list] = /^(\d+) entries in (\w+)$/.exec(expected) ?? [];
  if (entries !== undefined && list !== undefined) {
    return `${toolsOf(exchanges, 'return')} ${entries} entries in ${code(list)} instead of ${due}`;
  }
  const dispatched = /^(\d+) dispatched$/.exec(actual)?.[1];
  const all = /^1 of (\d+ simultaneous confirmations) to dispatch$/.exec(expected)?.[1];
  if (dispatched !== undefined && all !== undefined) return `${toolsOf(exchanges, 'dispatch')} ${dispatched} of ${all}`;
  const [, member, value] = /^(\w+) (".*") twice$/.exec(actual) ?? [];
  return member === undefined ? undefined : `${toolsOf(exchanges, 'return')} ${code(member)} ${value} twice`;
}

import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { inWords } from '../../suites/expectations/in-words.ts';
import { isRecord, type JsonRecord, member, parsed } from '../../suites/json.ts';
import type { ReportedExchange, ReportedFinding } from '../../suites/result.ts';
import {
  agree,
  type Condition,
  different,
  each,
  is,
  json,
  like,
  outcome,
  runsNothing,
  same,
  spellings,
  succeeds,
} from './condition.ts';
import { fits } from './fits.ts';

/** Conditions that hold after the violation is fixed. */
export interface Decision {
  readonly conditions: readonly Condition[];
  /** Index of the exchange to check. Default: the last one. */
  readonly judged?: number;
  /** Any other outcome also fixes the violation, for example a refusal instead of a result. */
  readonly anyOutcome?: boolean;
  /** Why the conditions can hold although the violation persists. */
  readonly unless?: string;
}

/** A finding with its last exchange and the match of its expected value. */
interface Case {
  readonly words: RegExpExecArray;
  readonly finding: ReportedFinding;
  readonly last: ReportedExchange;
  readonly args: JsonRecord;
}

type Derive = (found: Case) => readonly Condition[] | Decision | undefined;

const { about } = limits.confirmation;
const [initial = '', ...letters] = inWords(about);

/** Lifetime of a confirmation in digits or words: `30|[Tt]hirty`. */
const lifetime = `${about}|[${initial.toUpperCase()}${initial}]${letters.join('')}`;

/** Matches JSON in a finding, for example the value of a field. */
const value = String.raw`(".*"|".*… \(\d+ characters in total\)|null|true|false|-?\d+(?:\.\d+)?|[{[].*)`;

/**
 * Derives conditions from the expected value of a finding. The first match wins. The texts come from a few matchers of
 * the kit (`suites/expectations`). A test counts findings without a match.
 */
const derivations: readonly (readonly [words: RegExp, derive: Derive])[] = [
  [/^HTTP 200 with ok true$/, () => succeeds],
  [/^HTTP 200 with ok false, code \(any string\)$/, () => [outcome, is('.ok', 'false'), like('.code', json.text)]],
  [/^HTTP 200 with ok false, code (".*")$/, ({ words }) => [outcome, is('.ok', 'false'), is('.code', at(words, 1))]],
  [/^HTTP (\d+)$/, ({ words }) => [is('status', at(words, 1))]],
  [
    /^HTTP (\d+) with error code (.+)$/,
    ({ words }) => [is('status', at(words, 1)), is('.error.code', ...at(words, 2).split(' or '))],
  ],
  [
    // An error response with `ok` looks like the outcome of a tool.
    /^HTTP 200 for a tool/,
    () => [{ kind: 'either', part: '.ok', conditions: [is('status', '200'), like('.ok', '^$')] }],
  ],
  [/^HTTP 200, with ok for the outcome$/, () => [outcome, like('.ok', json.boolean)]],
  [/^HTTP 200 with a result or a refusal/, () => [like('status', '^(2[0-9][0-9]|400)$'), like('.', json.object)]],
  [/^a status below 500$/, () => [like('status', '^[1-4]')]],
  [
    /^one of the statuses ([\d, ]+)$/,
    ({ words }) => [like('status', `^(2[0-9][0-9]|${at(words, 1).replaceAll(', ', '|')})$`)],
  ],
  [/^neither (\w+) nor a 400$/, ({ words }) => [lacks('.code', at(words, 1)), like('status', '^([^4]|4[^0]|40[^0])')]],
  [/^ok true with status ("\w+")/, ({ words }) => [...succeeds, is('.status', at(words, 1))]],
  [/^a proposal in the workspace/, () => [...succeeds, is('.status', '"confirmation_required"')]],
  [/^a proposal or a refusal$/, () => ({ conditions: runsNothing, anyOutcome: true })],
  [/^no dispatch /, () => ({ conditions: runsNothing, anyOutcome: true })],
  [/^a new proposal that can be confirmed/, () => succeeds],
  [/^a confirmation_id for this request alone/, () => [different('.confirmation_id')]],
  [/^a different error code for each cause/, () => [different('.error.code')]],
  [/^a different (\w+) for each/, ({ words }) => [different(`.${at(words, 1)}`)]],
  [/^the body of /, () => [same('body')]],
  [
    /^the headers of .*? \((?=[\w-]+: )(.*)\)$/s,
    ({ words }) => namesIn(at(words, 1)).map((name) => same(`header ${name}`)),
  ],
  [
    /^the response to an ID that was never issued \((.*)\)$/s,
    ({ words }) =>
      namesIn(at(words, 1)).map((name) => same(name.startsWith('body') ? name.slice(4) : `header ${name}`)),
  ],
  [/^an issue whose path( or message)? names the invalid field$/, namedIssue],
  [
    /^\S+: workspaces to list at least two distinct slugs$/,
    () => [each('.workspaces', '', json.string), { kind: 'distinct', part: '.workspaces', members: [''], least: 2 }],
  ],
  [
    /^issues to be an array of \{path: string, message: string\}$/,
    () => [
      like('.issues', json.array),
      each('.issues', '.path', json.string),
      each('.issues', '.message', json.string),
    ],
  ],
  [
    /^workspaces to be an array of strings$/,
    () => [like('.workspaces', json.array), each('.workspaces', '', json.string)],
  ],
  [/^days to be a non-empty array of dates/, () => [like('.days[]', json.some), each('.days', '', json.date)]],
  [/^each date in days to be the day after/, () => [{ kind: 'consecutive', part: '.days' }]],
  [/^days to begin at week_start/, () => [agree('.days[0]', '.week_start')]],
  [/^(\d+) entries in (\w+)$/, ({ words }) => [is(`.${at(words, 2)}[]`, at(words, 1))]],
  [/^items for an empty query$/, () => [like('.items[]', json.some)]],
  [/^items that differ in kind or id$/, () => [{ kind: 'distinct', part: '.items', members: ['.kind', '.id'] }]],
  [/^total of at least \d+/, () => [{ kind: 'least', part: '.total', other: '.items[]' }]],
  [
    /^total \d+, the number of items/,
    () => [{ kind: 'either', part: '.truncated', conditions: [is('.truncated', 'true'), agree('.total', '.items[]')] }],
  ],
  [/ to refuse a workspace that the key in the role/, () => [is('.ok', 'false')]],
  [
    /^".*", which .* lists, to work when the same key names it$/s,
    ({ args }) => [{ kind: 'listed-works', part: '.workspaces', value: JSON.stringify(args.workspace) }],
  ],
  [
    / to work without the workspace argument, with the source (".*")$/,
    ({ words }) => [...succeeds, is('.working_in.source', at(words, 1))],
  ],
  [
    /^working_in with the strings (\w+) and (\w+)$/,
    ({ words }) => [1, 2].map((index) => like(`.working_in.${at(words, index)}`, json.string)),
  ],
  [/^working_in\.workspace .*, as in workspace$/s, () => [agree('.working_in.workspace', '.workspace')]],
  [/^working_in\.source one of (.*)$/, ({ words }) => [is('.working_in.source', ...quotedList(at(words, 1)))]],
  [
    /^the fields (.*)$/,
    ({ words }) =>
      at(words, 1)
        .split(', ')
        .map((name) => like(`.${name}`, json.any)),
  ],
  [/^the balance to stay at /, () => [same('.balance')]],
  [
    /^the balance that the key in the role/,
    () => ({
      conditions: [same('.balance')],
      judged: 1,
      unless: 'a balance that was remembered differs only after something was spent',
    }),
  ],
  [/^1 of \d+ simultaneous confirmations to dispatch$/, () => [{ kind: 'once', part: '.run_id', pattern: json.text }]],
  [
    /^error\.retry_after_seconds \d+, as in/,
    () => [agree('.error.retry_after_seconds', `header ${responseHeaders.retryAfter}`)],
  ],
  [/ to be refused with 429 while /, () => [is('status', '429')]],
  [/^the key in the role .* to be served while /, () => [outcome]],
  [/^the key to be served again after /, () => [outcome]],
  [/^a message that mentions /, () => [like('.message', lifetime)]],
  [/^content-type application\/json$/, () => [like('header content-type', '^[Aa]pplication/[Jj][Ss][Oo][Nn] *(;|$)')]],
  [/^a JSON object as body$/, () => [like('.', json.object)]],
  [/^\{"error": /, () => [like('.error.code', json.text), like('.error.message', json.string)]],
  [
    /^no key beside error, and in error none beside (.*) and (.*)$/,
    ({ words }) => [only('.', 'error'), only('.error', ...at(words, 1).split(', '), at(words, 2))],
  ],
  [/^no retry_after_seconds$/, () => [like('.error.retry_after_seconds', '^$')]],
  [/^a body without the requested name$/, ({ last }) => [lacks('body', last.tool ?? '')]],
  [/^no header with the requested name$/, ({ last }) => [lacks('headers', last.tool ?? '')]],
  [/^error code (".*")$/, ({ words }) => [is('.error.code', at(words, 1))]],
  [/^([\w-]+) absent or (\w+)$/, ({ words }) => [like(`header ${at(words, 1)}`, `^(${at(words, 2)})?$`)]],
  [
    /^([\w-]+): a whole number of .*at least \d+$/,
    ({ words }) => [like(`header ${at(words, 1).toLowerCase()}`, '^0*[1-9][0-9]*$')],
  ],
  [/^([\w-]+): any text$/, ({ words }) => [like(`header ${at(words, 1)}`, '[^ ]')]],
  [/^([\w-]+): (.*)$/, ({ words }) => [is(`header ${at(words, 1).toLowerCase()}`, ...at(words, 2).split(' or '))]],
  [/^([\w.[\]]+) to be (.+)$/, ({ words }) => fits(at(words, 1), at(words, 2))],
  [/^workspace .*, as in the request$/s, workspaceAsAsked],
  [new RegExp(`^([\\w.]+) ${value}(?:, as .*)?$`, 's'), fieldIs],
];

/** How a script decides whether a finding is fixed. Undefined if no condition can be derived. */
export function decisionOf(finding: ReportedFinding, shown: readonly ReportedExchange[]): Decision | undefined {
  const last = shown.at(-1);
  if (last === undefined) return undefined;
  const args = argumentsOf(last);
  for (const [pattern, derive] of derivations) {
    const words = pattern.exec(finding.expected);
    if (words === null) continue;
    const derived = derive({ words, finding, last, args });
    if (derived === undefined) return undefined;
    const decision: Decision = 'conditions' in derived ? derived : { conditions: derived };
    return decision.conditions.length === 0 ? undefined : decision;
  }
  return undefined;
}

/** Text of a group that always matches. */
const at = (words: RegExpExecArray, index: number): string => words[index] ?? '';

const lacks = (part: string, text: string): Condition => ({ kind: 'lacks', part, text });
const only = (part: string, ...names: string[]): Condition => ({ kind: 'only', part, names });
const quotedList = (list: string): string[] => list.split(', ').map((text) => JSON.stringify(text));

/** Returns the names in `name: value; name: value`. */
function namesIn(list: string): string[] {
  return [...list.matchAll(/(?:^|; )([\w.[\]-]+): /g)].map(([, name = '']) => name);
}

/** Takes the field name from the actual value, because the expected value does not contain it. */
function namedIssue({ words, finding }: Case): Condition[] | undefined {
  const field = /^"([\w-]+)" is invalid/.exec(finding.actual)?.[1];
  if (field === undefined) return undefined;
  const byPath = { '.path': `(^"|[^A-Za-z0-9_-])${field}[])}>'\`\\"]*$` };
  const byMessage = { '.message': `(^"|[^A-Za-z0-9_-])${field}([^A-Za-z0-9_-]|$)` };
  return [
    is('.ok', 'false'),
    is('.code', JSON.stringify(refusalCodes.invalidArguments)),
    { kind: 'some', part: '.issues', members: words[1] === undefined ? byPath : { ...byPath, ...byMessage } },
  ];
}

/** Takes the value from the request if the finding truncates it. */
function fieldIs({ words, args }: Case): Condition[] | undefined {
  const name = at(words, 1);
  const told = parsed(at(words, 2));
  const expected = told === undefined ? args[name] : told;
  return expected === undefined || isRecord(expected) ? undefined : [is(`.${name}`, ...spellings(expected))];
}

/** Allows an absent workspace, because refusals have none. */
function workspaceAsAsked({ args }: Case): Decision {
  const conditions = [outcome, is('.workspace', ...spellings(args.workspace), '')];
  return { conditions, anyOutcome: true };
}

/** Returns the arguments of a request. Empty if the body is not a JSON object. */
export function argumentsOf({ request }: ReportedExchange): JsonRecord {
  const args = parsed(request.body);
  return isRecord(args) ? args : {};
}

/** Returns a member of the response body. Undefined if the body is not a JSON object. */
export function responseMember({ response }: ReportedExchange, name: string): unknown {
  return member(parsed(response?.body), name);
}

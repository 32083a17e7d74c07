import { toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import type { ReportedExchange, ReportedFinding } from '../../suites/result.ts';
import { quoted } from '../../suites/session/curl.ts';
import { plain } from '../plain.ts';
import type { Condition } from './condition.ts';
import { argumentsOf, type Decision, decisionOf, responseMember } from './conditions.ts';
import { machinery } from './machinery.ts';
import { hasSucceeded, type Sending, type Story, sendingOf } from './steps.ts';

/** A cause to reproduce. */
export interface Reproducible {
  readonly title: string;
  readonly requirements: readonly string[];
  /** Findings of the cause. The script reproduces one of them. */
  readonly findings: readonly ReportedFinding[];
  readonly exchanges: readonly ReportedExchange[];
  readonly target: { readonly baseUrl: string; readonly kind: string };
}

export interface Reproduction {
  readonly script: string;
  /** Whether the script can detect the violation. */
  readonly decides: boolean;
}

/** A finding with the parts of its script. */
interface Attempt {
  readonly finding: ReportedFinding;
  readonly story: Story | undefined;
  readonly sending: Sending | string;
  readonly decision: Decision | undefined;
  /** The exchange to compare with. */
  readonly first: ReportedExchange | undefined;
}

/** False positives of shellcheck: quoted dollar signs, case conversion of keys, unused functions and arguments. */
const excused = 'SC2016,SC2018,SC2019,SC2119,SC2120,SC2317,SC2329';

/**
 * Creates a bash script that repeats the requests of a finding. Exit codes: 0 fixed, 1 violation persists, 2 wrong
 * usage, 3 undecided.
 */
export function reproduction(what: Reproducible): Reproduction {
  const attempts = what.findings.map((finding) => attemptOf(finding, what));
  const attempt = best(attempts);
  const decides = attempt !== undefined && canDecide(attempt);
  return { script: scriptOf(what, attempt), decides };
}

const canDecide = ({ sending, decision }: Attempt) => typeof sending !== 'string' && decision !== undefined;

/** Prefers attempts that can decide, then attempts without costs. */
function best(attempts: readonly Attempt[]): Attempt | undefined {
  const rank = (attempt: Attempt) => (canDecide(attempt) ? 0 : 10) + (costOf(attempt) === '' ? 0 : 1);
  return attempts.toSorted((a, b) => rank(a) - rank(b))[0];
}

function attemptOf(finding: ReportedFinding, { exchanges, target }: Reproducible): Attempt {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const ids = finding.story ?? finding.exchanges;
  const all = ids.flatMap((id) => byId.get(id) ?? []);
  const own = all.filter(({ id }) => finding.exchanges.includes(id));
  const decision = decisionOf(finding, own);
  const judged = decision?.judged === undefined ? own.at(-1) : own[decision.judged];
  const [first] = own;
  if (judged === undefined || all.length < ids.length) {
    return { finding, story: undefined, sending: 'the report does not have its requests', decision, first };
  }
  const primed = withPriming(finding, all, judged);
  const twin = finding.twin === undefined ? undefined : byId.get(finding.twin);
  const story = {
    exchanges: primed,
    // A server can remember the workspace of the first request.
    twin: primed === all ? twin : undefined,
    judged,
    waits: / to be served again after /.test(finding.expected),
  };
  return { finding, story, sending: sendingOf(story, target.baseUrl), decision, first };
}

/** Tools without side effects. */
const reading: readonly (string | null)[] = toolsWithoutSideEffects;

/**
 * Inserts a request with the wrong workspace of the finding before the judged request. A server that reuses the
 * workspace of an earlier request shows the violation only after that request.
 */
function withPriming(finding: ReportedFinding, all: readonly ReportedExchange[], judged: ReportedExchange) {
  const slug = finding.expected.startsWith('workspace ')
    ? /^workspace "([^"\\]+)"/.exec(finding.actual)?.[1]
    : undefined;
  if (slug === undefined || !reading.includes(judged.tool) || judged.response === null) return all;
  const body = JSON.stringify({ ...argumentsOf(judged), workspace: slug });
  const priming: ReportedExchange = {
    ...judged,
    id: primingId,
    request: { ...judged.request, body },
    // The response does not matter.
    response: { ...judged.response, body: '' },
  };
  return all.flatMap((exchange) => (exchange === judged ? [priming, exchange] : [exchange]));
}

/** ID that no exchange of a report has. */
const primingId = -1;

/** Description of what the script can spend or create. Empty if nothing. */
function costOf({ story }: Attempt): string {
  const all = story === undefined ? [] : [...story.exchanges, ...(story.twin === undefined ? [] : [story.twin])];
  const spends = all.some(
    (exchange) => typeof responseMember(exchange, 'run_id') === 'string' || hasConfirmation(exchange),
  );
  const creates = all.some((exchange) => exchange.tool === 'content.create_request' && hasSucceeded(exchange));
  return [...(spends ? ['may spend credits'] : []), ...(creates ? ['creates content requests'] : [])].join(' and ');
}

const hasConfirmation = (exchange: ReportedExchange) => Boolean(argumentsOf(exchange).confirmation_id);

function scriptOf({ title, requirements, target }: Reproducible, attempt: Attempt | undefined): string {
  const sending = attempt?.sending ?? 'the report has no finding';
  const variables = typeof sending === 'string' ? [] : [...sending.variables].sort();
  const isStub = target.kind === 'stub' || target.kind === 'image';
  const needed = [
    ...(isStub ? ["[[ -n $base ]] || wrong 'set TCK_BASE_URL to the address of the deployment'"] : []),
    ...variables.map((name) => `[[ -n \${${name}-} ]] || wrong 'set ${name}'`),
  ];
  const keys = variables.map((name) => `"\${${name}-}"`).join(' ');
  return [
    '#!/usr/bin/env bash',
    `# ${oneLine(title)}`,
    `# Requirements: ${oneLine(requirements.join(', '))}`,
    '#',
    '# Sends the requests that showed this, with curl. Exits with 0 if it is fixed, 1 if it is not, 2 for wrong usage,',
    '# and 3 if that cannot be decided. Needs bash and awk.',
    ...variables.map((name) => `#   ${name}`.padEnd(30).concat(' a key or header of the configuration')),
    '#   TCK_BASE_URL               the deployment, if not the one of the report',
    '#   TCK_CLOCK_URL              advances its clock by POST {"seconds": n}; TCK_CLOCK_HEADER is sent along',
    `# shellcheck disable=${excused}`,
    'set -uo pipefail',
    '',
    `title=${quoted(oneLine(title))}`,
    `expected=${quoted(oneLine(attempt?.finding.expected ?? ''))}`,
    `cost=${quoted(attempt === undefined ? '' : costOf(attempt))}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it
    isStub ? 'base=${TCK_BASE_URL-}' : `base=\${TCK_BASE_URL:-${quoted(target.baseUrl)}}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it
    'base=${base%/}',
    '',
    block('require', needed),
    block('shown_without_keys', [`shown ${keys}`.trimEnd()]),
    block('steps', typeof sending === 'string' ? [`undecided ${quoted(oneLine(sending))}`] : sending.lines),
    block('decide', attempt === undefined || typeof sending === 'string' ? [] : decisionLines(attempt, sending)),
    machinery.trimStart(),
  ].join('\n');
}

const oneLine = (text: string): string => plain(text.replace(/\s+/g, ' '), 300);

function block(name: string, lines: readonly string[]): string {
  return `${name}() {\n${(lines.length === 0 ? [':'] : lines).map((line) => `  ${line}\n`).join('')}}\n`;
}

const asExpected = 'the response is as expected now';
const varies = 'in the run, too, the same request had different outcomes';
const unsteady = "say 'A race does not show every time. Run this script several times.'";

/** Shell commands, one for each condition. A condition that does not hold returns 1. */
function decisionLines({ story, decision, first, finding }: Attempt, { steps, together }: Sending): string[] {
  const judged = story === undefined ? undefined : steps.get(story.judged.id);
  if (story === undefined || decision === undefined || judged === undefined) {
    return [`undecided ${quoted(oneLine(`compare the responses with what was expected: ${finding.expected}`))}`];
  }
  const { conditions } = decision;
  if (conditions.some(({ kind }) => kind === 'once')) {
    const races = conditions.map((each) => `${line(each, judged, 0, together)} || return 1`);
    return [...races, unsteady];
  }
  if (together > 1 && story.judged.together !== undefined) return raceLines(conditions, judged, together, story);
  const status = story.judged.response?.status ?? 0;
  const expected = conditions.flatMap((each) => (each.kind === 'is' && each.part === 'status' ? each.values : []));
  const comparable = decision.anyOutcome === true || tellsOutcome(conditions);
  return [
    ...earlierDispatches(story, steps, conditions).map(
      (step) => `if is ${step} .status '"dispatched"'; then return; fi`,
    ),
    `answered ${[judged, status, ...expected].join(' ')}`,
    ...(comparable ? [] : [`comparable ${judged} ${status} '${status === 200 ? okOf(story.judged) : ''}'`]),
    ...conditions.map((each) => `${line(each, judged, steps.get(first?.id ?? 0) ?? judged, together)} || return 1`),
    ...(decision.unless === undefined ? [] : [`undecided ${quoted(`${asExpected}, but ${decision.unless}`)}`]),
    ...(finding.varies === true ? [`undecided ${quoted(`${asExpected}, but ${varies}`)}`] : []),
  ];
}

/** Checks every response of a race but the one that dispatches. */
function raceLines(conditions: readonly Condition[], judged: number, together: number, { judged: shown }: Story) {
  const each = `"${judged}-$index"`;
  return [
    'local index',
    `for ((index = 1; index <= ${together}; index++)); do`,
    `  if is ${each} .status '"dispatched"'; then continue; fi`,
    `  answered ${each} ${shown.response?.status ?? 0}`,
    ...conditions.map((condition) => `  ${line(condition, each, each, together)} || return 1`),
    'done',
    unsteady,
  ];
}

/**
 * Steps of earlier refused confirmations in a story that ends with a dispatch. If one of them is dispatched now, the ID
 * was not lost.
 */
function earlierDispatches({ exchanges, judged }: Story, steps: Sending['steps'], conditions: readonly Condition[]) {
  const isExpected = conditions.some(({ kind, part }) => kind === 'is' && part === '.status');
  const id = argumentsOf(judged).confirmation_id;
  if (!isExpected || id === undefined) return [];
  const refused = exchanges.filter((each) => each !== judged && argumentsOf(each).confirmation_id === id);
  return refused.filter((each) => !hasSucceeded(each)).flatMap((each) => steps.get(each.id) ?? []);
}

/** Whether the conditions check the outcome. If not, the script requires the outcome in the report. */
function tellsOutcome(conditions: readonly Condition[]): boolean {
  return conditions.some(({ kind, part }) => part === 'status' || part === '.ok' || kind === 'listed-works');
}

function okOf(exchange: ReportedExchange): string {
  const ok = responseMember(exchange, 'ok');
  return typeof ok === 'boolean' ? String(ok) : '';
}

/** `judged` and `first` are the numbers of responses, or shell words for them. */
function line(condition: Condition, judged: number | string, first: number | string, together: number): string {
  const { kind } = condition;
  const part = quoted(condition.part);
  switch (kind) {
    case 'consecutive':
      return `consecutive ${judged} ${part}`;
    case 'is':
      return ['is', judged, part, ...condition.values.map(quoted)].join(' ');
    case 'like':
      return `like ${judged} ${part} ${quoted(condition.pattern)}`;
    case 'lacks':
      return `lacks ${judged} ${part} ${quoted(condition.text)}`;
    case 'only':
      return ['only', judged, part, ...condition.names].join(' ');
    case 'either':
      return `{ ${condition.conditions.map((one) => line(one, judged, first, together)).join(' || ')}; }`;
    case 'each':
      return `each ${judged} ${part} ${quoted(condition.member)} ${quoted(condition.pattern)}`;
    case 'some':
      return ['some', judged, part, ...Object.entries(condition.members).flat().map(quoted)].join(' ');
    case 'distinct':
      return ['distinct', judged, part, condition.least ?? 'all', ...condition.members.map(quoted)].join(' ');
    case 'agree':
    case 'least':
      return `${kind} ${judged} ${part} ${quoted(condition.other)}`;
    case 'same':
    case 'different':
      return `${kind} ${first} ${judged} ${part}`;
    case 'once':
      return `once ${judged} ${part} ${quoted(condition.pattern)} ${together}`;
    case 'listed-works':
      return `listed_works ${first} ${judged} ${part} ${quoted(condition.value)}`;
  }
}

import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { effectOfTool } from '../../fixtures/contract/tools.ts';
import { type Completed, type Exchange, isCompleted, isRefusal } from '../exchange/exchange.ts';
import { brief, shorten } from '../json.ts';
import type { Client } from './client.ts';
import { isLost } from './exchange.ts';
import { type Failure, followsFailure, isUsedLater, type NeverGot, neverGot } from './never-got.ts';
import {
  endsLike,
  linesOf,
  misprintIn,
  newLines,
  showsIssue,
  showsReason,
  unfulfilled,
  untroubledOf,
} from './printed.ts';
import { type AtEnd, type ClientRule, clientRule, clientRuleAtEnd } from './rule.ts';
import type { RunOfClient } from './run.ts';

const isRefused = (exchange: Exchange) => isCompleted(exchange) && isRefusal(exchange);
const isFailed = (exchange: Exchange) => isCompleted(exchange) && exchange.response.status >= 400;

/** Returns the tools that a client is run for: those with side effects, or all if it only reads. */
function workOf(plain: readonly RunOfClient[]): string[] {
  const succeeded = [...(plain[0]?.succeeded ?? [])];
  const changes = succeeded.filter((tool) => effectOfTool(tool) !== undefined);
  return changes.length > 0 ? changes : succeeded;
}

/** Output of unhandled errors in Node.js, Deno, Python, Ruby, Go, Java, .NET, PHP, Rust, shells and Perl. */
const unhandled = [
  /^Node\.js v\d/m,
  /^error: Uncaught/m,
  /^Traceback \(most recent call last\)/m,
  /\(\w*Error\)$/m,
  /^panic: /m,
  /^Exception in thread "/m,
  /^Unhandled exception/m,
  /^PHP Fatal error: +Uncaught/m,
  /^thread '.*' panicked at/m,
  /^jq: error /m,
  /: line \d+: .*(unbound variable|syntax error)/m,
  / at \S+ line \d+(, <\w+> line \d+)?\.$/m,
];

/** Messages of programming errors that a client caught and printed. No message of a service looks like these. */
const accidental = [
  /Cannot read propert(y|ies) of (undefined|null)|\b(undefined|null|\w+) is not (iterable|a function)/,
  /'NoneType' object|\blist index out of range|\bindices must be integers/,
  /undefined method .* for nil|invalid memory address|index out of range \[/,
  /Cannot invoke ".*" because|out of bounds for length|NullPointerException|Object reference not set/,
];

/** Returns how a run crashed; undefined if it did not crash. */
function crashOf({ exitCode, output = '' }: RunOfClient): string | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  if (exitCode > 128 && exitCode < 160) return `a crash by signal ${exitCode - 128}`;
  return [...unhandled, ...accidental].some((sign) => sign.test(output))
    ? `exit code ${exitCode} after an unhandled error: ${lastLines(output)}`
    : undefined;
}

/** Line that names an error, as runtimes print it. */
const errorLine = /^\[?[\w.]*(Error|Exception)\b.*: |\(\w+Error\)$|^panic: | panicked at /;

export const lastLines = (output: string | undefined) => {
  const lines = (output ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at |^Node\.js v/.test(line));
  const errorLineText = lines.findLast((line) => errorLine.test(line));
  const text = errorLineText?.replace(/^\[(.*)\] \{$/, '$1') ?? lines.slice(-2).join(' | ');
  return lines.length === 0 ? '(no output)' : shorten(text, 200);
};

/** Returns whether a client stumbled over a missing value, so that it may not have looked at the refusal. */
const stumbles = ({ knowledge: { run } }: Client) => accidental.some((sign) => sign.test(run?.output ?? ''));

const withValue = ({ name, value }: NeverGot) =>
  value === undefined ? `without ${name}` : `with ${name} ${brief(value)}`;

const untroubled = ({ earlier: { runs } }: Client) => untroubledOf(runs);

/** Returns the run of the client and its plain runs, if the output of both is known. */
export function printed(client: Client): { run: RunOfClient; plain: readonly RunOfClient[] } | undefined {
  const { printedRun: run, plainRuns: plain } = client;
  return run === undefined || run.kind === 'plain' || plain.length === 0 ? undefined : { run, plain };
}

/** Judges whether the output of a run has values that a refused request did not give. */
function misprint(client: Client, isAbout: typeof isRefused): AtEnd {
  const { run, plain } = printed(client) ?? {};
  const found = run && misprintIn(run, plain ?? [], isAbout);
  // Without a line that could show it, nothing is proven.
  if (found === null || run === undefined || !run.refusals.some(isAbout)) return undefined;
  if (found === undefined) return null;
  return {
    expected: `no output with a value that ${found.refusal.request.tool} did not give`,
    actual: `the line: ${shorten(found.line, 120)}`,
    hint: 'Branch on the status and on ok before you use a value. Print the code and the message instead.',
    exchanges: [found.refusal],
  };
}

/** Refusals that a client does not only tell: a person chooses a workspace, or decides on a new proposal. */
function isForPerson(refusal: Completed, run: RunOfClient): boolean {
  if (isRefusal(refusal, refusalCodes.workspaceAmbiguous)) return true;
  return isRefusal(refusal, refusalCodes.confirmationInvalid) && (run.losesConfirmation || run.isDenied);
}

/** Returns what the output lacks about the refusals of a run. */
function untold(run: RunOfClient, client: Client): { refusal: Completed; lack: string } | undefined {
  const isSilent = newLines(run, untroubled(client)).length === 0;
  for (const refusal of unfulfilled(run).filter((one) => !isForPerson(one, run))) {
    const { status } = refusal.response;
    const isTold = showsReason(run, refusal);
    if (!isTold && run.exitCode === 0 && isSilent) return { refusal, lack: 'nothing about the failure' };
    if (!isTold && (status === 200 || status === 403)) return { refusal, lack: 'neither the code nor the message' };
    if (!showsIssue(run, refusal)) return { refusal, lack: 'neither the path nor the message of an issue' };
  }
  return undefined;
}

/** Returns the tools with side effects that a run did not do, because each request was refused or failed. */
function undoneIn(run: RunOfClient, plain: readonly RunOfClient[]): { undone: string[]; isAll: boolean } {
  const work = workOf(plain);
  const confirms = plain.some(({ dispatches }) => dispatches);
  const isDone = (tool: string) =>
    tool === 'images.generate' && confirms
      ? run.dispatches || run.losesConfirmation || run.isDenied
      : run.succeeded.has(tool);
  const refused = new Set([...run.refused, ...run.failed]);
  if (run.refusals.some((one) => isRefusal(one, refusalCodes.confirmationInvalid))) refused.add('images.generate');
  const undone = work.filter((tool) => refused.has(tool) && !isDone(tool));
  const isIdle = refused.size > 0 && run.succeeded.size === 0;
  return { undone, isAll: isIdle || (work.length > 0 && undone.length === work.length) };
}

/** Returns whether a run says what plain runs say after a dispatch, but nothing was dispatched. */
function claimsDispatch(run: RunOfClient, client: Client): boolean {
  if (run.dispatches || run.losesConfirmation || !run.tools.has('images.generate')) return false;
  // What the client prints after a denial is no claim.
  const dispatching = untroubled(client).filter(({ dispatches }) => dispatches);
  const isUsual = newLines(run, dispatching).length === 0;
  return isUsual && client.plainRuns.some((plain) => plain.dispatches && endsLike(run, plain));
}

interface Decides {
  readonly isBad: typeof isRefused;
  readonly expected: (bad: Exchange) => string;
  readonly hint: string;
}

/** Creates a rule against values of results in requests and in output, although the request for them failed. */
function decides(id: ClientRuleId, how: Failure, { isBad, expected, hint }: Decides): ClientRule {
  return clientRule(
    id,
    (exchange, client) => {
      const missing = neverGot(exchange, client, how);
      if (missing === undefined) {
        const isCovered = (isBad(exchange) && isUsedLater(exchange, client)) || followsFailure(exchange, client, how);
        return isCovered && !client.mayKnowMore && !stumbles(client) ? null : undefined;
      }
      return {
        expected: `no ${exchange.request.tool} with ${expected(missing.refusal)}`,
        actual: `${exchange.request.tool} ${withValue(missing)}, which no response had`,
        hint,
        exchanges: [missing.refusal, exchange],
      };
    },
    { atEnd: (client) => misprint(client, isBad) },
  );
}

/** Rules for the handling of responses. */
export const outcomes: readonly ClientRule[] = [
  decides('client-outcomes.ok-decides', 'refused', {
    isBad: isRefused,
    expected: ({ request }) => `a value that the refusal of ${request.tool} does not contain`,
    hint: 'Branch on ok in the body: a refusal has status 200, but no field of a result.',
  }),
  decides('client-outcomes.status-decides', 'failed', {
    isBad: isFailed,
    expected: ({ request, response }) =>
      `a value that ${request.tool} did not give, because its status was ${response?.status}`,
    hint: 'Check the status of every response: an error response contains error.code, but no result.',
  }),
  clientRuleAtEnd('client-outcomes.failure-told', (client) => {
    const { run } = client;
    const plain = client.plainRuns;
    if (run === undefined || run.kind === 'plain' || run.exitCode === null || plain.length === 0) return undefined;
    const { isAll } = undoneIn(run, plain);
    const claims = claimsDispatch(run, client);
    if (!isAll && !claims) return undefined;
    if (run.exitCode !== 0) return null;
    return {
      expected: `an exit code other than 0 ${isAll ? 'after all work was refused or failed' : 'without a dispatch'}`,
      actual: `exit code 0; its last output: ${lastLines(run.output)}`,
      hint: 'Check the status and ok, report the failure or refusal to the person, and do not exit with 0.',
      exchanges: run.latest,
    };
  }),
  clientRuleAtEnd('client-outcomes.no-crash', ({ run }) => {
    if (run === undefined || run.kind === 'plain' || run.kind === 'unknown-fields') return undefined;
    // The kit stopped the client.
    if (run.exitCode === null) return undefined;
    // The specification does not describe lost responses, 5xx and redirects. Another response may arrive meanwhile.
    if (run.latest.some((one) => isLost(one) || ((one.response?.status ?? 0) >= 300 && !isFailed(one))))
      return undefined;
    const crash = crashOf(run);
    if (crash === undefined) return run.metTrouble ? null : undefined;
    return {
      expected: 'an exit without a crash, with a message for a person',
      actual: crash,
      hint: 'Handle refusals, error responses, empty lists and null, and report problems to the person.',
      exchanges: run.latest,
    };
  }),
  clientRuleAtEnd('client-outcomes.reason-shown', (client) => {
    const { run, plain = [] } = printed(client) ?? {};
    if (run === undefined || run.exitCode === null || crashOf(run) !== undefined) return undefined;
    if (unfulfilled(run).length === 0) return undefined;
    // The other rules on outcomes have the same finding.
    const isUndone = run.exitCode === 0 && undoneIn(run, plain).isAll;
    if (isUndone || misprintIn(run, plain, () => true)) return undefined;
    // A client that never prints anything reports in another way, unless it claims success.
    if (run.exitCode !== 0 && [run, ...plain].every((one) => linesOf(one).length === 0)) return undefined;
    const lacking = untold(run, client);
    if (lacking === undefined) return null;
    return {
      expected: `output with the reason why ${lacking.refusal.request.tool} was refused`,
      actual: `${lacking.lack} in the output, which ends with: ${lastLines(run.output)}`,
      hint: 'Print the code and the message of a refusal, and path and message of its issues. Do not hide a failure.',
      exchanges: [lacking.refusal],
    };
  }),
  clientRuleAtEnd('client-outcomes.ends', ({ run }) => {
    if (run === undefined || (run.exitCode !== null && run.latest.length === 0)) return undefined;
    if (run.exitCode !== null) return null;
    return {
      expected: 'a client that ends by itself',
      actual: `no exit before the time limit; its last output: ${lastLines(run.output)}`,
      hint: 'Limit the number of attempts and the time of each request, and end if standard input ends.',
      exchanges: run.latest,
    };
  }),
];

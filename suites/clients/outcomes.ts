import { effectOfTool } from '../../fixtures/contract/tools.ts';
import type { Finding } from '../expectations/finding.ts';
import { type ClientRule, clientRule } from '../expectations/rule.ts';
import { type Exchange, isCompleted, isRefusal } from '../history/exchange.ts';
import { brief, shorten } from '../json.ts';
import type { RunOfClient } from '../situations/client-memory.ts';
import { type NeverGot, neverGot, neverGotFromError } from './never-got.ts';

const isRefused = (exchange: Exchange) => isCompleted(exchange) && isRefusal(exchange);
const isFailed = (exchange: Exchange) => isCompleted(exchange) && exchange.response.status >= 400;

/** Returns the tools that a client is run for: those with side effects, or all if it only reads. */
function workOf(plain: readonly RunOfClient[]): string[] {
  const succeeded = [...(plain[0]?.succeeded ?? [])];
  const changes = succeeded.filter((tool) => effectOfTool(tool) !== undefined);
  return changes.length > 0 ? changes : succeeded;
}

/** Output of unhandled errors in Node.js, Deno, Python, Ruby, Go, Java, .NET, PHP and Rust. */
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
];

/** Returns how a run crashed; undefined if it did not crash. */
function crashOf({ exitCode, output = '' }: RunOfClient): string | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  if (exitCode > 128 && exitCode < 160) return `a crash by signal ${exitCode - 128}`;
  return unhandled.some((sign) => sign.test(output))
    ? `exit code ${exitCode} after an unhandled error: ${lastLines(output)}`
    : undefined;
}

/** Line that names an error, as runtimes print it. */
const errorLine = /^[\w.]*(Error|Exception)\b.*: |^panic: | panicked at /;

const lastLines = (output: string | undefined) => {
  const lines = (output ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at |^Node\.js v/.test(line));
  const errorLineText = lines.findLast((line) => errorLine.test(line));
  return lines.length === 0 ? '(no output)' : shorten(errorLineText ?? lines.slice(-2).join(' | '), 200);
};

const withValue = ({ name, value }: NeverGot) =>
  value === undefined ? `without ${name}` : `with ${name} ${brief(value)}`;

/** Rules for the handling of responses. */
export const outcomes: readonly ClientRule[] = [
  clientRule('client-outcomes.ok-decides', {
    applies: (exchange, seen) =>
      (isRefused(exchange) && !seen.client.mayKnowMore) || neverGot(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const missing = neverGot(exchange, seen);
      return (
        missing && {
          expected:
            `no ${exchange.request.tool} with a value ` +
            `that the refusal of ${missing.refusal.request.tool} does not contain`,
          actual: `${exchange.request.tool} ${withValue(missing)}, which no response had`,
          hint: 'Branch on ok in the body: a refusal has status 200, but no field of a result.',
          exchanges: [missing.refusal, exchange],
        }
      );
    },
  }),
  clientRule('client-outcomes.status-decides', {
    applies: (exchange, seen) => isFailed(exchange) || neverGotFromError(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const missing = neverGotFromError(exchange, seen);
      return (
        missing && {
          expected:
            `no ${exchange.request.tool} with a value that ${missing.refusal.request.tool} did not give, ` +
            `because its status was ${missing.refusal.response?.status}`,
          actual: `${exchange.request.tool} ${withValue(missing)}, which no response had`,
          hint: 'Check the status of every response: an error response contains error.code, but no result.',
          exchanges: [missing.refusal, exchange],
        }
      );
    },
  }),
  clientRule('client-outcomes.failure-told', {
    applies: () => false,
    expect: () => undefined,
    atEnd: ({ client: { run }, earlier: { runs } }) => {
      const work = workOf(runs.filter(({ kind }) => kind === 'plain'));
      if (run === undefined || run.kind === 'plain' || run.exitCode === null || work.length === 0) return undefined;
      const undone = new Set([...run.refused, ...run.failed]);
      const isAllUndone = undone.size > 0 && run.succeeded.size === 0;
      if (!isAllUndone && !work.every((tool) => undone.has(tool) && !run.succeeded.has(tool))) return undefined;
      if (run.exitCode !== 0) return { finding: undefined };
      return {
        finding: {
          expected: 'an exit code other than 0 after all work was refused or failed',
          actual: `exit code 0; its last output: ${lastLines(run.output)}`,
          hint: 'Check the status and ok, report the failure or refusal to the person, and do not exit with 0.',
          exchanges: run.latest,
        },
      };
    },
  }),
  clientRule('client-outcomes.no-crash', {
    applies: () => false,
    expect: () => undefined,
    atEnd: ({ client: { run } }) => {
      if (run === undefined || run.kind !== 'other' || !run.metTrouble) return undefined;
      const crash = crashOf(run);
      if (crash === undefined) return { finding: undefined };
      return {
        finding: {
          expected: 'an exit without a crash, with a message for a person',
          actual: crash,
          hint: 'Handle refusals, errors and lost responses of every request, and report them to the person.',
          exchanges: run.latest,
        },
      };
    },
  }),
  clientRule('client-outcomes.unknown-fields', {
    applies: () => false,
    expect: () => undefined,
    atEnd: ({ client: { run }, earlier: { runs }, knowledge }) => {
      const plain = runs.filter(({ kind }) => kind === 'plain');
      if (run?.kind !== 'unknown-fields' || plain.length === 0 || !knowledge.complete) return undefined;
      if (plain.some(({ exitCode }) => exitCode !== 0) || run.latest.length === 0) return undefined;
      return { finding: differentWithUnknownFields(run, plain) };
    },
  }),
];

/** Returns the tools that every plain run used, but not a run with unknown fields that exited with 0. */
function leftOut(run: RunOfClient, plain: readonly RunOfClient[]): string[] {
  const [first, ...others] = plain;
  return [...(first?.tools ?? [])].filter(
    (tool) => !run.tools.has(tool) && others.every(({ tools }) => tools.has(tool)),
  );
}

function differentWithUnknownFields(run: RunOfClient, plain: readonly RunOfClient[]): Finding | undefined {
  const hint = 'Read only the fields that you know, and allow additional properties in your response schemas.';
  const exchanges = run.latest;
  if (run.exitCode !== 0) {
    return {
      expected: 'exit code 0, as without unknown fields and headers',
      actual: run.exitCode === null ? 'no exit before the time limit' : `exit code ${run.exitCode}`,
      hint,
      exchanges,
    };
  }
  const missing = leftOut(run, plain);
  if (missing.length === 0) return undefined;
  return {
    expected: `the client to use ${missing.join(', ')}, as it does without unknown fields and headers`,
    actual: 'an exit before these requests',
    hint,
    exchanges,
  };
}

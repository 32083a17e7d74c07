import { shorten } from '../json.ts';
import type { Client } from './client.ts';
import { lastLines, printed } from './outcomes.ts';
import { linesOf } from './printed.ts';
import { type AtEnd, type ClientRule, clientRuleAtEnd } from './rule.ts';
import type { RunOfClient } from './run.ts';

/** Rules for the responses of other conforming servers. */
export const otherServers: readonly ClientRule[] = [
  clientRuleAtEnd('client-outcomes.unknown-fields', (client) => asUsual(client, 'unknown-fields')),
  clientRuleAtEnd('client-outcomes.other-servers', (client) => inventedDate(client) ?? asUsual(client, 'other-server')),
];

/** Dates that programs make of null, 0 or an empty text. */
const zeroDate = /\b(1970-01-01|1969-12-31|0001-01-01|Invalid Date)|Invalid time value/;

/** Returns the finding about a date that no response had. A date such as `scheduled_for` can be null. */
function inventedDate(client: Client): AtEnd {
  const { run, plain = [] } = printed(client) ?? {};
  if (run === undefined || run.metTrouble || plain.flatMap(linesOf).some((line) => zeroDate.test(line)))
    return undefined;
  const line = linesOf(run).find((text) => zeroDate.test(text));
  if (line === undefined) return undefined;
  return {
    expected: 'output without a date where a response has null',
    actual: `the line: ${shorten(line, 120)}`,
    hint: 'Check for null before you format a date: scheduled_for can be null.',
    exchanges: run.latest,
  };
}

/** Judges whether a run with another server of the same data ends like the plain runs. */
function asUsual(client: Client, kind: 'unknown-fields' | 'other-server'): AtEnd {
  const { run } = client;
  const plain = client.plainRuns;
  if (run?.kind !== kind || plain.length === 0 || !client.knowledge.complete) return undefined;
  if (plain.some(({ exitCode }) => exitCode !== 0) || run.latest.length === 0) return undefined;
  const missing = leftOut(run, plain);
  if (run.exitCode === 0 && missing.length === 0) return null;
  const where = kind === 'unknown-fields' ? 'without unknown fields and headers' : 'with the first server';
  const ended = run.exitCode === null ? 'no exit before the time limit' : `exit code ${run.exitCode}`;
  const used = `the client to use ${missing.join(', ')}, as it does ${where}`;
  return {
    expected: run.exitCode === 0 ? used : `exit code 0, as ${where}`,
    actual:
      run.exitCode === 0
        ? 'an exit before these requests'
        : `${ended}${run.output === undefined ? '' : `: ${lastLines(run.output)}`}`,
    hint:
      kind === 'unknown-fields'
        ? 'Read only the fields that you know, and allow additional properties in your response schemas.'
        : 'Rely only on what the specification says: the base URL can have a path, and orders and spaces can differ.',
    exchanges: run.latest,
  };
}

/** Returns the tools that every plain run used, but not a run that exited with 0. */
function leftOut(run: RunOfClient, plain: readonly RunOfClient[]): string[] {
  const [first, ...others] = plain;
  return [...(first?.tools ?? [])].filter(
    (tool) => !run.tools.has(tool) && others.every(({ tools }) => tools.has(tool)),
  );
}

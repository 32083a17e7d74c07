import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { noCredential } from '../session/credentials.ts';
import { question, readings } from './reading.ts';

/** A refusal with `invalid_arguments`: an empty `workspace`, which every workspace-scoped tool refuses. */
export function invalidArguments(t: Context): Promise<Answered> {
  return t.call('schedule.read', { workspace: '' });
}

/** A refusal with `workspace_ambiguous`. */
export function ambiguous(t: Context): Promise<Answered> {
  return t.call('schedule.read', {}, { as: 'ambiguous' });
}

export function unauthorized(t: Context): Promise<Answered> {
  return t.call('schedule.read', {}, { as: noCredential });
}

export function malformed(t: Context): Promise<Answered> {
  return t.call('schedule.read', undefined, { body: '{"workspace": ' });
}

/** A name that is no tool, and is not likely to become one. */
export function unknownToolName(t: Context): string {
  return `tck.${t.text('unknown tool')}`;
}

export function noSuchTool(t: Context): Promise<Answered> {
  return t.call(unknownToolName(t), {});
}

/** Answers 200 of every kind that reading calls can bring about with the key of `primary`. */
export async function toolAnswers(t: Context): Promise<Answered[]> {
  const [read, ...others] = await Promise.all([
    readings(t),
    t.call('credits.balance', {}),
    t.call('knowledge.search', t.here({ query: question })),
    invalidArguments(t),
  ]);
  return [...read.map(({ answer }) => answer), ...others];
}

/** Boundary errors that reading calls can bring about with the key of `primary`. */
export function boundaryErrors(t: Context): Promise<Answered[]> {
  return Promise.all([unauthorized(t), malformed(t), noSuchTool(t)]);
}

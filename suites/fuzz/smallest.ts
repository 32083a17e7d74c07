import fc from 'fast-check';
import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { mostShrinking } from './bounds.ts';
import type { Drawn } from './draw.ts';

/** A call of one tool. */
export type Call = Drawn & { tool: ToolName };

export type Judge = (call: Call, answer: Answered) => Finding | undefined;

/** The calls that a draw makes, all at once, and those of them that fail. */
interface Tried {
  answers: Map<string, Promise<Answered>>;
  failed: boolean;
}

const nameOf = (call: Call) => JSON.stringify([call.tool, call.args]);

/**
 * Draws so many calls by seed, makes them, and judges them. Where some fail, one finding tells the smallest call that still
 * does; looking for it is bounded too.
 */
export async function draw(
  t: Context,
  from: fc.Arbitrary<Call>,
  { calls, seed, judge }: { calls: number; seed: number; judge: Judge },
): Promise<Finding | undefined> {
  if (calls < 1) return undefined;
  const parameters = { seed, numRuns: calls };
  const { answers, failed } = await tryAll(t, fc.sample(from, parameters), judge);
  if (!failed) return undefined;
  let left = mostShrinking;
  let smallest: Finding | undefined;
  const holds = async (call: Call): Promise<boolean> => {
    const known = answers.get(nameOf(call));
    if (known === undefined && left <= 0) return true;
    if (known === undefined) left -= 1;
    const asking = known ?? ask(t, call);
    answers.set(nameOf(call), asking);
    const verdict = judge(call, await asking);
    if (verdict === undefined) return true;
    smallest = verdict;
    return false;
  };
  // The same seed draws the same calls again, so that what was asked is not asked twice.
  await fc.check(fc.asyncProperty(from, holds), parameters);
  return smallest;
}

async function tryAll(t: Context, drawn: readonly Call[], judge: Judge): Promise<Tried> {
  const answers = new Map<string, Promise<Answered>>();
  for (const call of drawn) if (!answers.has(nameOf(call))) answers.set(nameOf(call), ask(t, call));
  const verdicts = await Promise.all(
    drawn.map(async (call) => judge(call, await (answers.get(nameOf(call)) ?? ask(t, call)))),
  );
  return { answers, failed: verdicts.some((verdict) => verdict !== undefined) };
}

function ask(t: Context, { tool, args }: Call): Promise<Answered> {
  return t.session.send({ tool, args, credential: t.credential('primary') });
}

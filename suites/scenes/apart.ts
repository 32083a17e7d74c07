import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { differingParts, headerParts, type Parts, type Round, tellingParts } from '../expect/same.ts';
import type { Finding } from '../finding.ts';
import { shorten } from '../json.ts';
import { noCredential } from '../session/credentials.ts';

/**
 * Rounds that a difference must survive before it counts. A header that has one of two values by chance survives one round in
 * four: with three of them, one run in a hundred blamed a server for naming its nodes.
 */
const confirmingRounds = 6;

export interface Cause {
  /** In words, for the finding. */
  name: string;
  /** The call that brings this cause about; `fresh` sends it anew. */
  ask(fresh: boolean): Promise<Answered>;
}

/**
 * Names of headers seen to change by themselves, from two identical calls and from every later comparison. They are
 * constant for no cause, so they never tell two causes apart.
 */
function noise(t: Context): Promise<Set<string>> {
  return t.once('headers that change by themselves', async () => {
    const ask = () => t.call('schedule.read', {}, { as: noCredential, fresh: true });
    const [one, other] = [await ask(), await ask()];
    return new Set(differingParts(headerParts(one), headerParts(other)));
  });
}

/** Whether two answers have the same body, to the byte: a boundary error has no room for anything that changes. */
export function sameText(
  a: { name: string; answer: Answered },
  b: { name: string; answer: Answered },
  hint: string,
): Finding | undefined {
  if (a.answer.answer.text === b.answer.answer.text) return undefined;
  return {
    expected: `the body of ${a.name}: ${shorten(a.answer.answer.text)}`,
    actual: `${b.name}: ${shorten(b.answer.answer.text)}`,
    hint,
    exchanges: [a.answer, b.answer],
  };
}

/** The parts of an answer that ought to be the same as those of another; `other` tells what it is held against. */
export type PartsOf = (exchange: Answered, other: Answered) => Parts;

/**
 * Whether answers to two causes can be told apart, by the parts that `partsOf` names. A difference counts when it is the
 * same in every one of several interleaved rounds, whose order alternates; what changes by itself never is.
 */
export async function toldApart(
  t: Context,
  a: Cause,
  b: Cause,
  partsOf: PartsOf,
  hint: string,
): Promise<Finding | undefined> {
  const noisy = await noise(t);
  const firstA = await a.ask(false);
  const firstB = await b.ask(false);
  const roundOf = (ofA: Answered, ofB: Answered): Round => ({ a: partsOf(ofA, ofB), b: partsOf(ofB, ofA) });
  const before = roundOf(firstA, firstB);
  const suspicious = differingParts(before.a, before.b).filter((name) => !noisy.has(name));
  if (suspicious.length === 0) return undefined;
  const rounds: Round[] = [before];
  for (let round = 0; round < confirmingRounds; round += 1) {
    if (round % 2 === 0) {
      const ofB = await b.ask(true);
      rounds.push(roundOf(await a.ask(true), ofB));
    } else {
      rounds.push(roundOf(await a.ask(true), await b.ask(true)));
    }
  }
  const telling = tellingParts(rounds).filter((name) => !noisy.has(name));
  for (const name of suspicious) if (!telling.includes(name)) noisy.add(name);
  if (telling.length === 0) return undefined;
  const shown = (parts: Parts) =>
    telling.map((name) => `${name}: ${shorten(parts.get(name) ?? '(absent)')}`).join('; ');
  return {
    expected: `the same answer to ${b.name} as to ${a.name} (${shown(before.a)})`,
    actual: shown(before.b),
    hint,
    exchanges: [firstA, firstB],
  };
}

/** The first of several pairs of causes that can be told apart: the others would say the same again, and cost calls. */
export async function firstToldApart(
  t: Context,
  pairs: readonly (readonly [Cause, Cause])[],
  partsOf: PartsOf,
  hint: string,
): Promise<Finding | undefined> {
  for (const [a, b] of pairs) {
    const verdict = await toldApart(t, a, b, partsOf, hint);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

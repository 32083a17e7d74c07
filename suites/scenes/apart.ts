import type { Answered } from '../exchange.ts';
import { differingParts, type Parts, type Round, tellingParts } from '../expect/same.ts';
import type { Verdict } from '../finding.ts';
import { brief } from '../json.ts';

/** Rounds that a difference must survive before it counts. */
const confirmingRounds = 3;

export interface Cause {
  /** In words, for the finding. */
  name: string;
  /** The call that brings this cause about; `fresh` sends it anew. */
  ask(fresh: boolean): Promise<Answered>;
}

/**
 * Whether answers to two causes can be told apart, by the parts that `partsOf` names. A difference counts when it is the
 * same in every one of several interleaved rounds, whose order alternates; what changes by itself never is.
 */
export async function toldApart(
  a: Cause,
  b: Cause,
  partsOf: (exchange: Answered) => Parts,
  hint: string,
): Promise<Verdict> {
  const firstA = await a.ask(false);
  const firstB = await b.ask(false);
  const rounds: Round[] = [{ a: partsOf(firstA), b: partsOf(firstB) }];
  const [before] = rounds;
  if (before === undefined || differingParts(before.a, before.b).length === 0) return undefined;
  for (let round = 0; round < confirmingRounds; round += 1) {
    const order = round % 2 === 0 ? [b, a] : [a, b];
    const answers = new Map<Cause, Parts>();
    for (const cause of order) answers.set(cause, partsOf(await cause.ask(true)));
    rounds.push({ a: answers.get(a) ?? new Map(), b: answers.get(b) ?? new Map() });
  }
  const telling = tellingParts(rounds);
  if (telling.length === 0) return undefined;
  const shown = (parts: Parts) => telling.map((name) => `${name}: ${brief(parts.get(name))}`).join('; ');
  return {
    expected: `the same answer to ${b.name} as to ${a.name} (${shown(before.a)})`,
    actual: shown(before.b),
    hint,
    exchanges: [firstA, firstB],
  };
}

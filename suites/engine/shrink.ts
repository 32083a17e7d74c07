import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Steps } from '../flows/steps.ts';
import type { Move } from '../generators/move.ts';
import { type Played, play } from '../generators/play.ts';
import type { Finding } from '../rules/finding.ts';
import { judge } from '../rules/judge.ts';
import { historyExchange } from '../session/history.ts';
import type { Session } from '../session/session.ts';
import { isAnswered, type Judging } from './judging.ts';
import type { Found } from './outcome.ts';

/** What a history is shrunk with. */
export interface Shrinking {
  readonly steps: () => Steps;
  readonly judging: Judging;
  readonly session: Session;
  /** Exchanges with lower numbers are those of the flows, in which nothing of this was found. */
  readonly firstGenerated: number;
  /** The most requests that it may cost. */
  readonly most: number;
}

/** Moves that show a failure, and what they showed. */
interface Shown {
  readonly moves: readonly Move[];
  readonly found: ReadonlyMap<RequirementId, Found>;
}

/**
 * Plays parts of a history again, with fresh ids, until a short one is left that still shows the first of these
 * failures. What is found by the shortest one stands for all; empty where the failure did not show again.
 */
export async function shrink(
  played: readonly Played[],
  failed: readonly (readonly [RequirementId, Finding])[],
  options: Shrinking,
): Promise<ReadonlyMap<RequirementId, Found>> {
  const [first] = failed;
  if (first === undefined) return new Map();
  let left = options.most;
  const attempt = async (moves: readonly Move[]): Promise<Shown | undefined> => {
    const cost = moves.reduce((sum, { requests }) => sum + requests, 0);
    if (cost === 0 || cost > left) return undefined;
    const before = options.session.exchanges.length;
    await play(options.steps(), moves, () => options.session.exchanges.length);
    left -= options.session.exchanges.length - before;
    const found = foundSince(before, failed, options);
    return found.has(first[0]) ? { moves, found } : undefined;
  };
  const numbers = first[1].exchanges.map(({ number }) => number);
  const last = played.filter(({ from }) => numbers.some((number) => number >= from));
  const involved = played.filter(({ from, until }) => numbers.some((number) => number >= from && number < until));
  let shown = (await attempt(withProposals(involved, played))) ?? (await attempt(last.map(({ move }) => move)));
  for (let candidate = shown && smaller(shown.moves); shown && candidate; ) {
    const next = candidate.next();
    if (next.done === true) break;
    const less = await attempt(next.value);
    if (less === undefined) continue;
    shown = less;
    candidate = smaller(shown.moves);
  }
  return shown?.found ?? new Map();
}

/** Moves together with those that made the proposals that they are about. */
function withProposals(some: readonly Played[], all: readonly Played[]): Move[] {
  const about = new Set(some.map(({ move }) => move.about));
  return all
    .filter((each) => some.includes(each) || (each.move.proposes !== undefined && about.has(each.move.proposes)))
    .map(({ move }) => move);
}

/** The same moves without one of them, and then with a simpler one. */
function* smaller(moves: readonly Move[]): Generator<readonly Move[]> {
  if (moves.length > 1) {
    for (const left of moves) {
      yield moves.filter((move) => move !== left && (left.proposes === undefined || move.about !== left.proposes));
    }
  }
  for (const [index, move] of moves.entries()) {
    for (const simpler of move.simpler?.() ?? []) yield moves.with(index, simpler);
  }
}

/** What of the failures the exchanges from this one on show, with all exchanges up to the last that shows it. */
function foundSince(
  from: number,
  failed: readonly (readonly [RequirementId, Finding])[],
  { judging, session, firstGenerated }: Shrinking,
): Map<RequirementId, Found> {
  const ids = failed.map(([id]) => id);
  const sent = session.exchanges.filter(({ seq }) => seq < firstGenerated || seq >= from);
  // That somebody else may be the cause was ruled out when it was found.
  const knowledge = { ...judging.history().knowledge, clockShared: false, complete: false };
  const judgements = judge(
    judging.rules.filter(({ id }) => ids.includes(id)),
    {
      knowledge,
      exchanges: sent.filter(({ answer, problem }) => answer !== null || problem !== null).map(historyExchange),
    },
  );
  const found = new Map<RequirementId, Found>();
  for (const { id, findings } of judgements) {
    const finding = findings.find(({ exchanges }) => exchanges.some(({ number }) => number >= from));
    if (finding === undefined) continue;
    const numbers = finding.exchanges.map(({ number }) => number);
    const end = Math.max(...numbers);
    const exchanges = session.exchanges.filter(({ seq }) => numbers.includes(seq) || (seq >= from && seq <= end));
    found.set(id, { ...judging.found(finding), exchanges: exchanges.filter(isAnswered) });
  }
  return found;
}

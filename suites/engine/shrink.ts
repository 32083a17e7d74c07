import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { judge } from '../evidence/judge.ts';
import type { Finding } from '../expectations/finding.ts';
import type { Move } from '../generators/move.ts';
import { type Played, play } from '../generators/play.ts';
import { isCompleted } from '../history/exchange.ts';
import { historyExchange } from '../session/history.ts';
import type { Session } from '../session/session.ts';
import type { Steps } from '../topics/steps.ts';
import type { LiveJudge } from './live-judge.ts';
import type { Found } from './outcome.ts';

interface Shrinking {
  readonly steps: () => Steps;
  readonly liveJudge: LiveJudge;
  readonly session: Session;
  /** Number of the first generated exchange. Exchanges before it belong to stories and do not show the failures. */
  readonly firstGenerated: number;
  /** Maximum number of requests to spend. */
  readonly most: number;
}

/** Moves that reproduce a failure, with their findings. */
interface ShownMoves {
  readonly moves: readonly Move[];
  readonly found: ReadonlyMap<RequirementId, Found>;
}

/**
 * Replays parts of a history with fresh IDs, until a short history remains that reproduces the first failure. Returns
 * the findings of that history; empty if the failure did not occur again.
 */
export async function shrink(
  played: readonly Played[],
  failed: readonly (readonly [RequirementId, Finding])[],
  options: Shrinking,
): Promise<ReadonlyMap<RequirementId, Found>> {
  const [first] = failed;
  if (first === undefined) return new Map();
  let left = options.most;
  const attempt = async (moves: readonly Move[]): Promise<ShownMoves | undefined> => {
    const cost = moves.reduce((sum, { requests }) => sum + requests, 0);
    if (cost === 0 || cost > left) return undefined;
    const before = options.session.exchanges.length;
    await play(options.steps(), moves, () => options.session.exchanges.length);
    left -= options.session.exchanges.length - before;
    const findings = foundSince(before, failed, options);
    return findings.has(first[0]) ? { moves, found: findings } : undefined;
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

/** Returns moves together with the moves that create their proposals. */
function withProposals(some: readonly Played[], all: readonly Played[]): Move[] {
  const about = new Set(some.map(({ move }) => move.about));
  return all
    .filter((move) => some.includes(move) || (move.move.proposes !== undefined && about.has(move.move.proposes)))
    .map(({ move }) => move);
}

/** Yields the moves without one of them, then with one of them simplified. */
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

/**
 * Returns the failures that occur from exchange `from` on. Each finding has all exchanges up to the last one that shows
 * it.
 */
function foundSince(
  from: number,
  failed: readonly (readonly [RequirementId, Finding])[],
  { liveJudge, session, firstGenerated }: Shrinking,
): Map<RequirementId, Found> {
  const ids = failed.map(([id]) => id);
  const sent = session.exchanges.filter(({ seq }) => seq < firstGenerated || seq >= from);
  // The original finding already ruled out other clients as the cause.
  const knowledge = { ...liveJudge.history().knowledge, clockShared: false, complete: false };
  const judgements = judge(
    liveJudge.rules.filter(({ id }) => ids.includes(id)),
    {
      knowledge,
      exchanges: sent.filter(({ response, problem }) => response !== null || problem !== null).map(historyExchange),
    },
  );
  const found = new Map<RequirementId, Found>();
  for (const { id, findings } of judgements) {
    const finding = findings.find(({ exchanges }) => exchanges.some(({ number }) => number >= from));
    if (finding === undefined) continue;
    const numbers = finding.exchanges.map(({ number }) => number);
    const end = Math.max(...numbers);
    const exchanges = session.exchanges.filter(({ seq }) => numbers.includes(seq) || (seq >= from && seq <= end));
    found.set(id, { ...liveJudge.found(finding), exchanges: exchanges.filter(isCompleted) });
  }
  return found;
}

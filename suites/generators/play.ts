import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Steps } from '../topics/steps.ts';
import type { Move, Play } from './move.ts';

/** Exchanges of a move, from `from` up to, but not including, `until`. */
export interface Played {
  readonly move: Move;
  readonly from: number;
  readonly until: number;
}

/**
 * Plays moves in order, with fresh IDs, and skips moves that are not possible. Stops at the first missing response and
 * returns the reason in `unanswered`.
 */
export async function play(
  t: Steps,
  moves: readonly Move[],
  sent: () => number,
): Promise<{ played: Played[]; unanswered?: string }> {
  const play: Play = { t, proposals: new Map() };
  const played: Played[] = [];
  for (const move of moves) {
    const from = sent();
    try {
      await move.play(play);
    } catch (error) {
      if (error instanceof Unanswered) return { played, unanswered: error.message };
      if (!(error instanceof NotTested)) throw error;
    }
    played.push({ move, from, until: sent() });
  }
  return { played };
}

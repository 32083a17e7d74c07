import type { Steps } from '../flows/steps.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Move, Play } from './move.ts';

/** Which exchanges a move made: numbers from the first, up to and without the last. */
export interface Played {
  readonly move: Move;
  readonly from: number;
  readonly until: number;
}

/**
 * Plays moves with fresh ids, one after the other; a move that is not possible is passed over. Ends where no response
 * comes: `unanswered` then says why.
 */
export async function play(
  t: Steps,
  moves: readonly Move[],
  sent: () => number,
): Promise<{ played: Played[]; unanswered?: string }> {
  const it: Play = { t, proposals: new Map() };
  const played: Played[] = [];
  for (const move of moves) {
    const from = sent();
    try {
      await move.play(it);
    } catch (error) {
      if (error instanceof Unanswered) return { played, unanswered: error.message };
      if (!(error instanceof NotTested)) throw error;
    }
    played.push({ move, from, until: sent() });
  }
  return { played };
}

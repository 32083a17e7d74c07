import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Steps } from '../topics/steps.ts';
import type { Move, Play } from './move.ts';

/**
 * Plays moves in order and skips moves that are not possible. Stops at the first missing response and returns the
 * reason.
 */
export async function play(t: Steps, moves: readonly Move[]): Promise<string | undefined> {
  const play: Play = { t, proposals: new Map() };
  for (const move of moves) {
    try {
      await move.play(play);
    } catch (error) {
      if (error instanceof Unanswered) return error.message;
      if (!(error instanceof NotTested)) throw error;
    }
  }
  return undefined;
}

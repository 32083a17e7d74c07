import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { isCompleted } from '../exchange/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { confirmingRounds } from '../model/world/by-reason.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { LiveJudge } from './live-judge.ts';

/** Maximum number of refutable findings that a run repeats for its stories, and again for generated requests. */
export const mostRefutable = 24;

/**
 * Repeats the requests of findings to confirm or refute the findings. `Scheduler` repeats whole stories instead, for
 * findings that are refutable by `others`.
 */
export class Repetitions {
  readonly #liveJudge: Pick<LiveJudge, 'judgements'>;
  readonly #session: Pick<Session, 'repeat' | 'isInterrupted'>;
  readonly #repeated = new Set<string>();

  constructor(liveJudge: Pick<LiveJudge, 'judgements'>, session: Pick<Session, 'repeat' | 'isInterrupted'>) {
    this.#liveJudge = liveJudge;
    this.#session = session;
  }

  /**
   * Repeats the exchanges of findings that are refutable by `repetition`. A finding counts if it persists for all
   * rounds, and is dropped otherwise. Called before the clock moves, after the stories, and after generated requests.
   * @param most maximum number of findings to repeat in the whole run
   */
  async confirmRefutable(most = mostRefutable): Promise<void> {
    while (this.#repeated.size < most && !this.#session.isInterrupted) {
      // One decisive finding per requirement is enough. More repetitions cost requests and add nothing.
      const open = this.#liveJudge.judgements().filter(({ findings }) => findings.length === 0);
      const all = open.flatMap(({ id, unconfirmed }) =>
        unconfirmed
          .filter(({ refutable }) => refutable?.by === 'repetition')
          .map((finding) => ({ name: nameOf(id, finding), finding })),
      );
      const next = all.find(({ name }) => !this.#repeated.has(name));
      if (next === undefined) return;
      this.#repeated.add(next.name);
      await this.#repeat(next.finding);
    }
  }

  /**
   * Repeats the exchanges until a request gets no response or cannot be sent. Alternating rounds run in reverse, so the
   * order cannot explain a difference.
   */
  async #repeat({ exchanges }: Finding): Promise<void> {
    const numbers = [...new Set(exchanges.map(({ number }) => number))];
    try {
      for (let round = 0; round < confirmingRounds; round += 1) {
        for (const number of round % 2 === 0 ? numbers.toReversed() : numbers) await this.#session.repeat(number);
      }
    } catch (error) {
      if (!(error instanceof NotTested || error instanceof Unanswered)) throw error;
    }
  }
}

function nameOf(id: RequirementId, { exchanges }: Finding): string {
  const causes = exchanges.filter(isCompleted).map(({ sender, request }) => `${sender.label} ${request.tool}`);
  return [id, ...causes].join('\n');
}

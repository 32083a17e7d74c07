import { toolReached, tools } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { type Exchange, isCompleted } from '../exchange/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { LiveJudge } from './live-judge.ts';

/** Maximum number of refutable findings that a run repeats for its stories, and again for generated requests. */
export const mostRefutable = 24;

/** Maximum number of failed requirements to repeat. More failures are unlikely to be random. */
const mostFailed = 20;

export const notRepeatedNote =
  'did not recur: the requirement was met after a repetition of the requests. The finding depends on earlier ' +
  'requests, or the deployment does not always respond in the same way';

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
      await this.#repeatInTurn(next.finding);
    }
  }

  /**
   * Repeats the requests of each failed requirement with a single finding, if these requests only read. The finding
   * counts in any case, but gets `notRepeatedNote` if it does not occur again. Called after the stories.
   * @returns the requirements that held in the repetition
   */
  async repeatLoneReadFindings(): Promise<ReadonlySet<RequirementId>> {
    const met = new Set<RequirementId>();
    const judgementOf = (id: RequirementId) => this.#liveJudge.judgements(new Set([id])).at(0);
    const failed = this.#liveJudge.judgements().filter(({ findings }) => findings.length > 0);
    for (const { id, findings, tested } of failed.length > mostFailed ? [] : failed) {
      const [finding, ...others] = findings;
      if (finding === undefined || others.length > 0) continue;
      if (finding.exchanges.some(mayChange)) continue;
      if (this.#session.isInterrupted) return met;
      if (!(await this.#repeat(finding.exchanges.map(({ number }) => number)))) continue;
      const after = judgementOf(id);
      if (after !== undefined && after.findings.length === 1 && after.tested > tested) met.add(id);
    }
    return met;
  }

  /** Repeats the exchanges. Alternating rounds run in reverse, so the order cannot explain a difference. */
  async #repeatInTurn({ exchanges, refutable }: Finding): Promise<void> {
    const numbers = [...new Set(exchanges.map(({ number }) => number))];
    const rounds = refutable?.by === 'repetition' ? refutable.rounds : 0;
    for (let round = 0; round < rounds; round += 1) {
      if (!(await this.#repeat(round % 2 === 0 ? numbers.toReversed() : numbers))) return;
    }
  }

  /** Returns false if a request got no response or could not be sent. */
  async #repeat(numbers: readonly number[]): Promise<boolean> {
    try {
      for (const number of numbers) await this.#session.repeat(number);
      return true;
    } catch (error) {
      if (error instanceof NotTested || error instanceof Unanswered) return false;
      throw error;
    }
  }
}

function mayChange({ sender, request }: Exchange): boolean {
  const tool = toolReached(request.url);
  return sender.kind === 'key' && tool !== undefined && tools[tool].effect !== undefined;
}

function nameOf(id: RequirementId, { exchanges }: Finding): string {
  const causes = exchanges.filter(isCompleted).map(({ sender, request }) => `${sender.label} ${request.tool}`);
  return [id, ...causes].join('\n');
}

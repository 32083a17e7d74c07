import { headerNames } from '../../fixtures/contract/headers.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import type { Exchange, SentRequest } from '../exchange.ts';

/** Calls of one tool in a row that may stay without an answer before that tool is given up. */
const mostInARow = 3;

/** The same for a whole run, whichever tool it was: so many timeouts, and no more, may hold it up. */
const mostInAll = 30;

/** How often in a row a key may wait as a 429 asks, only to be refused again: other clients may be in between. */
const mostWaits = 5;

/** What a limit that stays closed may cost: two waits of its own length, a few short ones, and at most 90 s. */
const mostSeconds = { inAll: 90, ofShortWaits: { limit: 5, outages: 15 } };

function mayWait(waitedSeconds: number, seconds: number, ofShortWaits: number): boolean {
  return waitedSeconds + seconds <= Math.min(mostSeconds.inAll, Math.max(2 * seconds, ofShortWaits));
}

/** The same for a deployment that says by a 5xx that it does not answer for now, whichever tool and key it was. */
const mostOutages = 5;

/** The same for a whole run, in a row or not: a deployment that answers now and then must not hold it up for good. */
const mostOutagesInAll = 15;

/** Why nothing more is sent, and the exchange that shows it. */
export interface GivenUp {
  reason: string;
  exchange: Exchange;
}

/**
 * When to stop asking a deployment that does not answer: a run has to end in bounded time, with what is known by then.
 * A tool that answers again is asked again; one that was given up is not.
 */
export class Patience {
  readonly #silences = new Map<string, number>();
  readonly #tools = new Map<string, GivenUp>();
  readonly #waits = new Map<string, { times: number; endsAtMs: number; seconds: number }>();
  #inAll = 0;
  #everything: GivenUp | undefined;
  #outages = 0;
  #outageSeconds = 0;
  #outage: { times: number; endsAtMs: number; kinds: readonly string[] } | undefined;

  /** Why calls like this one are not sent any more; undefined where they are. */
  givenUp(request: Pick<SentRequest, 'tool'>): GivenUp | undefined {
    return this.#everything ?? this.#tools.get(kindOf(request));
  }

  /** An answer came, whatever it says. */
  answered({ request, answer }: Exchange): void {
    this.#silences.delete(kindOf(request));
    if (answer !== null && answer.status < 500) this.#outage = undefined;
  }

  /**
   * A 5xx asked to wait until `endsAtMs`. Where several tools say so again and again, and nothing is answered in
   * between, no more is sent. Answers to calls that were under way together count once.
   */
  unavailable(exchange: Exchange, endsAtMs: number): void {
    const before = this.#outage ?? { times: 0, endsAtMs: 0, kinds: [] };
    const isNew = exchange.atMs >= before.endsAtMs;
    if (isNew) {
      this.#outages += 1;
      this.#outageSeconds += Math.max(0, endsAtMs - exchange.atMs - exchange.durationMs) / 1000;
    }
    const times = isNew ? before.times + 1 : before.times;
    const kinds = [...new Set([...before.kinds, kindOf(exchange.request)])];
    this.#outage = { times, endsAtMs: Math.max(endsAtMs, before.endsAtMs), kinds };
    if (times <= mostOutages || kinds.length < 2) return;
    const reason = `still ${exchange.answer?.status} after ${mostOutages} waits in a row; the run sends no more`;
    this.#everything ??= { reason, exchange };
  }

  /** Whether a 5xx that asks to wait for so many seconds is waited out. */
  waitsOutage(seconds: number): boolean {
    return this.#outages < mostOutagesInAll && mayWait(this.#outageSeconds, seconds, mostSeconds.ofShortWaits.outages);
  }

  /** No answer came in time. */
  timedOut(exchange: Exchange): void {
    const kind = kindOf(exchange.request);
    const silences = (this.#silences.get(kind) ?? 0) + 1;
    this.#silences.set(kind, silences);
    this.#inAll += 1;
    const why = 'got no response in time; the run sends no more of them';
    if (silences >= mostInARow)
      this.#tools.set(kind, { reason: `${silences} requests to ${kind} in a row ${why}`, exchange });
    if (this.#inAll >= mostInAll) this.#everything = { reason: `${this.#inAll} requests of this run ${why}`, exchange };
  }

  /** A key was served. */
  served(lane: string): void {
    this.#waits.delete(lane);
  }

  /**
   * A 429 to a request sent at `sentAtMs` asks a key to wait for so many seconds, until `endsAtMs`. Says why it is not
   * waited out any more; undefined where it is. Answers to calls that were under way together count once.
   */
  toldToWait(lane: string, sentAtMs: number, endsAtMs: number, seconds: number): string | undefined {
    const before = this.#waits.get(lane) ?? { times: 0, endsAtMs: 0, seconds: 0 };
    if (sentAtMs < before.endsAtMs) {
      before.endsAtMs = Math.max(endsAtMs, before.endsAtMs);
      return undefined;
    }
    if (before.times >= mostWaits || !mayWait(before.seconds, seconds, mostSeconds.ofShortWaits.limit)) {
      const waits = `${before.times} waits of ${headerNames.retryAfter} in a row`;
      return `still 429 after ${waits}, ${Math.round(before.seconds)} s in all`;
    }
    this.#waits.set(lane, { times: before.times + 1, endsAtMs, seconds: before.seconds + seconds });
    return undefined;
  }
}

function kindOf({ tool }: Pick<SentRequest, 'tool'>): string {
  return tool !== null && isToolName(tool) ? tool : 'other tools';
}

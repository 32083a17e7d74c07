import { headerNames } from '../../fixtures/contract/headers.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import type { SentExchange, SentRequest } from './sent-exchange.ts';

/** Timeouts of one tool in a row, after which the run stops using the tool. */
const mostInARow = 3;

/** Timeouts of all tools in a whole run, after which the run sends nothing more. */
const mostInAll = 30;

/** Waits in a row that end with another 429 for the same key. Other clients may use the limit in between. */
const mostWaits = 5;

/** Longest total wait, in seconds: twice the requested wait or a few short waits, but at most 90 s. */
const mostSeconds = { inAll: 90, ofShortWaits: { limit: 5, outages: 15 } };

function mayWait(waitedSeconds: number, seconds: number, ofShortWaits: number): boolean {
  return waitedSeconds + seconds <= Math.min(mostSeconds.inAll, Math.max(2 * seconds, ofShortWaits));
}

/** Waits in a row for a 5xx that reports an outage, across all tools and keys. */
const mostOutages = 5;

/** Waits for outages in a whole run, so that a deployment that recovers repeatedly cannot delay the run forever. */
const mostOutagesInAll = 15;

/** Why the run stops sending requests, and the exchange that shows it. */
interface GivenUp {
  reason: string;
  exchange: SentExchange;
}

/**
 * Decides when to stop sending requests to an unresponsive deployment, so that a run ends in bounded time. A response
 * resets the count of its tool. A tool that was given up stays given up.
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

  /** Returns why requests like this one are no longer sent; undefined if they are. */
  givenUp(request: Pick<SentRequest, 'tool'>): GivenUp | undefined {
    return this.#everything ?? this.#tools.get(kindOf(request));
  }

  /** Records a response with any status. */
  answered({ request, response }: SentExchange): void {
    this.#silences.delete(kindOf(request));
    if (response !== null && response.status < 500) this.#outage = undefined;
  }

  /**
   * Records a 5xx that asks to wait until `endsAtMs`. If several tools return 5xx repeatedly, with no other response in
   * between, the run sends nothing more. Responses to simultaneous requests count once.
   */
  unavailable(exchange: SentExchange, endsAtMs: number): void {
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
    const reason = `still ${exchange.response?.status} after ${mostOutages} waits in a row; the run sends no more`;
    this.#everything ??= { reason, exchange };
  }

  /** Returns whether to wait out a 5xx that asks for `seconds`. */
  waitsOutage(seconds: number): boolean {
    return this.#outages < mostOutagesInAll && mayWait(this.#outageSeconds, seconds, mostSeconds.ofShortWaits.outages);
  }

  /** Records that no response arrived in time. */
  timedOut(exchange: SentExchange): void {
    const kind = kindOf(exchange.request);
    const silences = (this.#silences.get(kind) ?? 0) + 1;
    this.#silences.set(kind, silences);
    this.#inAll += 1;
    const why = 'got no response in time; the run sends no more of them';
    if (silences >= mostInARow)
      this.#tools.set(kind, { reason: `${silences} requests to ${kind} in a row ${why}`, exchange });
    if (this.#inAll >= mostInAll) this.#everything = { reason: `${this.#inAll} requests of this run ${why}`, exchange };
  }

  /** Records a response to a key that is neither a 429 nor a 5xx. */
  served(lane: string): void {
    this.#waits.delete(lane);
  }

  /**
   * Records a 429 to a request sent at `sentAtMs`, which asks to wait `seconds`, until `endsAtMs`. Returns why the kit
   * stops waiting; undefined if it waits. Responses to simultaneous requests count once.
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

import { headerNames } from '../../fixtures/contract/headers.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import { type Completed, type Exchange, type Request, retryAfter } from '../exchange/exchange.ts';

/** Timeouts after which the run stops using a tool (in a row), and after which it sends nothing more (in all). */
const mostTimeouts = { inARow: 3, inAll: 30 };

/** Most waits after a 429 of one key. Other clients may use the limit in between. */
export const mostWaitsInARow = 5;

/** A deployment that recovers repeatedly must not delay the run forever, so outages are limited in the whole run. */
const mostOutages = 15;

/** Longest total wait for one reason, in seconds. A single wait may be longer. */
const mostSeconds = 90;

/** Statuses with which a gateway reports that the server behind it is unavailable. */
const ofGateway: readonly number[] = [502, 503, 504];

/** Why the run stops sending requests, and the exchange that shows it. */
interface GivenUp {
  reason: string;
  exchange: Exchange;
}

/** Waits for one reason. Responses to simultaneous requests count once. */
export class Waits {
  readonly #most: number;
  #times = 0;
  #seconds = 0;
  endsAtMs = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Requests that are sent until the end of a wait belong to it. */
  isNew({ sentAt }: Pick<Exchange, 'sentAt'>): boolean {
    return sentAt >= this.endsAtMs;
  }

  /** Adds a wait. Returns false after too many, or if a further wait makes all of them too long. */
  add(seconds: number): boolean {
    const isTooLong = this.#times > 0 && this.#seconds + seconds > mostSeconds;
    if (this.#times >= this.#most || isTooLong) return false;
    this.#times += 1;
    this.#seconds += seconds;
    return true;
  }

  extend(seconds: number, nowMs: number): void {
    this.endsAtMs = Math.max(this.endsAtMs, nowMs + seconds * 1000);
  }

  reset(): void {
    this.#times = this.#seconds = 0;
  }

  get inWords(): string {
    return `${this.#times} waits of ${headerNames.retryAfter} in a row, ${Math.round(this.#seconds)} s in all`;
  }
}

/**
 * Decides when to stop sending requests to an unresponsive deployment, so that a run ends in bounded time. A response
 * resets the count of its tool. A tool that was given up stays given up.
 */
export class Patience {
  readonly #timeouts = new Map<string, number>();
  #timeoutsInAll = 0;
  readonly #tools = new Map<string, GivenUp>();
  #everything: GivenUp | undefined;
  readonly #outages = new Waits(mostOutages);
  /** 5xx in a row, with no other response in between, and the tools that returned them. */
  #unavailable = { times: 0, kinds: new Set<string>() };

  /** Returns why requests like this one are no longer sent; undefined if they are. */
  givenUp(request: Pick<Request, 'tool'>): GivenUp | undefined {
    return this.#everything ?? this.#tools.get(kindOf(request));
  }

  /** Records a response with any status. */
  answered({ request, response: { status } }: Completed): void {
    this.#timeouts.delete(kindOf(request));
    if (status < 500) this.#unavailable = { times: 0, kinds: new Set() };
  }

  /** Records that no response arrived in time. */
  timedOut(exchange: Exchange): void {
    const kind = kindOf(exchange.request);
    const times = (this.#timeouts.get(kind) ?? 0) + 1;
    this.#timeouts.set(kind, times);
    this.#timeoutsInAll += 1;
    const giveUp = (what: string): GivenUp => {
      return { reason: `${what} got no response in time; the run sends no more of them`, exchange };
    };
    if (times >= mostTimeouts.inARow) this.#tools.set(kind, giveUp(`${times} requests to ${kind} in a row`));
    if (this.#timeoutsInAll >= mostTimeouts.inAll) {
      this.#everything = giveUp(`${this.#timeoutsInAll} requests of this run`);
    }
  }

  /**
   * Records a response. Returns the seconds to wait if it is a 5xx that shows an outage, otherwise 0. If several tools
   * return such a 5xx repeatedly, the run sends nothing more.
   */
  outage(exchange: Exchange, nowMs: number, maxWaitSeconds: number): number {
    const status = exchange.response?.status ?? 0;
    if (status < 500 || exchange.refusable) return 0;
    const seconds = retryAfter(exchange) ?? (ofGateway.includes(status) ? 1 : undefined);
    if (seconds === undefined) return 0;
    const isNew = this.#outages.isNew(exchange);
    if (isNew) this.#unavailable.times += 1;
    this.#unavailable.kinds.add(kindOf(exchange.request));
    if (this.#unavailable.times > mostWaitsInARow && this.#unavailable.kinds.size > 1) {
      const reason = `still ${status} after ${mostWaitsInARow} waits in a row; the run sends no more`;
      this.#everything ??= { reason, exchange };
    }
    const waits = seconds <= maxWaitSeconds && (isNew ? this.#outages.add(seconds) : nowMs < this.#outages.endsAtMs);
    this.#outages.extend(waits ? seconds : 0, nowMs);
    return waits ? seconds : 0;
  }
}

function kindOf({ tool }: Pick<Request, 'tool'>): string {
  return tool !== null && isToolName(tool) ? tool : 'other tools';
}

import type { Exchange } from '../exchange/exchange.ts';
import type { RunTime } from './run-time.ts';

/**
 * Shorter waits are spent in real time, because a success after them does not show which clock the limit follows. An
 * exception is a limit that refills gradually.
 */
const leastSeconds = 5;

/** A limit that serves no more requests than this after a short wait refills gradually. */
const mostOfTrickle = 3;

/** Seconds after which such a limit has refilled, because the rate limit is per minute. */
const refillSeconds = 60;

/** After this many 429s in a row despite advances, the limit of a key counts as following real time. */
const mostInVain = 2;

/** Requests of one key. */
class Lane {
  /** Consecutive 429s despite advances. */
  inVain = 0;
  /** How often the key was served since the clock was advanced for it. */
  served = 0;
  /** The fewest served requests before a 429. */
  least = Number.POSITIVE_INFINITY;
  /** The last short wait in real time, and how often the key was served since. */
  shortWait: { readonly endsAtMs: number; served: number } | undefined;
  /** Whether the limit refills gradually, by the deployment's clock. */
  refills = false;
}

/**
 * Advances the deployment's clock instead of waiting, for rate limits that follow this clock. A gateway in front of the
 * application may have its own clock. Then advancing is useless, and the kit waits in real time.
 */
export class MovedLimits {
  readonly #time: Pick<RunTime, 'movedMs' | 'elapsedMs'>;
  readonly #advance: ((seconds: number) => Promise<void>) | undefined;
  readonly #lanes = new Map<string, Lane>();
  #followed = false;
  #seconds = 1;
  #moving: Promise<void> | undefined;

  /** Without `advance`, all rate limits are waited out in real time. */
  constructor(time: Pick<RunTime, 'movedMs' | 'elapsedMs'>, advance: ((seconds: number) => Promise<void>) | undefined) {
    this.#time = time;
    this.#advance = advance;
  }

  /** Records that a key was served. If the clock was advanced for the key, its limit follows the clock. */
  served(name: string): void {
    const lane = this.#lane(name);
    lane.served += 1;
    if (lane.shortWait !== undefined) lane.shortWait.served += 1;
    if (lane.inVain === 0 || lane.inVain >= mostInVain) return;
    if (lane.shortWait !== undefined) {
      // A few requests may have been served because real time has passed.
      if (lane.served <= mostOfTrickle) return;
      lane.refills = true;
    }
    this.#followed = true;
    lane.inVain = 0;
  }

  /** Advances the clock before a request that must not get a 429, if the key may be near its limit. */
  async makeRoom(name: string): Promise<void> {
    const lane = this.#lane(name);
    if (!this.#followed || 2 * lane.served < lane.least) return;
    lane.served = 0;
    await this.#advance?.(this.#seconds);
  }

  /** Records an advance for any reason. After a long one, earlier requests no longer count. */
  moved(seconds: number): void {
    if (seconds >= this.#seconds) for (const lane of this.#lanes.values()) lane.served = 0;
  }

  /** Whether any limit has followed the clock. */
  get followed(): boolean {
    return this.#followed;
  }

  /**
   * Advances the clock by the wait that a 429 asks for, once for all requests that got it together. Returns false if
   * the caller must wait in real time.
   */
  async pass(name: string, exchange: Exchange, wanted: number): Promise<boolean> {
    const lane = this.#lane(name);
    if (this.#advance === undefined || lane.inVain >= mostInVain) return false;
    const isShort = wanted < leastSeconds;
    if (isShort && !this.#refills(lane, exchange, wanted)) return false;
    const seconds = isShort ? refillSeconds : wanted;
    // If the clock was advanced after this request was sent, its 429 is outdated.
    if (this.#moving === undefined && exchange.clockMoved >= this.#time.movedMs) {
      lane.inVain += 1;
      lane.least = Math.min(lane.least, lane.served);
      lane.served = 0;
      this.#seconds = Math.max(seconds, this.#seconds);
      this.#moving = this.#advance(seconds).finally(() => {
        this.#moving = undefined;
      });
    }
    await this.#moving;
    return true;
  }

  /** Whether a limit refills gradually, because a short wait brought few requests. If not, records a short wait. */
  #refills(lane: Lane, { sentAt }: Exchange, seconds: number): boolean {
    if (lane.refills) return true;
    const before = lane.shortWait;
    if (before !== undefined && sentAt < before.endsAtMs) return false;
    if (before !== undefined && before.served <= mostOfTrickle) return true;
    lane.shortWait = { endsAtMs: this.#time.elapsedMs() + seconds * 1000, served: 0 };
    return false;
  }

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? new Lane();
    this.#lanes.set(name, lane);
    return lane;
  }
}

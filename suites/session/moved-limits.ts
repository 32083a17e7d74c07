import type { RunTime } from './run-time.ts';
import type { SentExchange } from './sent-exchange.ts';

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

/**
 * Advances the deployment's clock instead of waiting, for rate limits that follow this clock. A gateway in front of the
 * application may have its own clock. Then advancing is useless, and the kit waits in real time.
 */
export class MovedLimits {
  readonly #time: Pick<RunTime, 'movedMs' | 'elapsedMs'>;
  readonly #advance: ((seconds: number) => Promise<void>) | undefined;
  readonly #inVain = new Map<string, number>();
  /**
   * `#served`: how often each key was served since the clock was advanced for it. `#least`: the fewest times before a
   * 429.
   */
  readonly #served = new Map<string, number>();
  readonly #least = new Map<string, number>();
  /** The last short wait of each key in real time, and how often the key was served since. */
  readonly #shortWaits = new Map<string, { readonly endsAtMs: number; served: number }>();
  /** Keys whose limit refills gradually, by the deployment's clock. */
  readonly #refilled = new Set<string>();
  #followed = false;
  #seconds = 1;
  #moving: Promise<void> | undefined;

  /** Without `advance`, all rate limits are waited out in real time. */
  constructor(time: Pick<RunTime, 'movedMs' | 'elapsedMs'>, advance: ((seconds: number) => Promise<void>) | undefined) {
    this.#time = time;
    this.#advance = advance;
  }

  /** Records that a key was served. If the clock was advanced for the key, its limit follows the clock. */
  served(lane: string): void {
    const served = (this.#served.get(lane) ?? 0) + 1;
    this.#served.set(lane, served);
    const shortWait = this.#shortWaits.get(lane);
    if (shortWait !== undefined) shortWait.served += 1;
    const inVain = this.#inVain.get(lane);
    if (inVain === undefined || inVain >= mostInVain) return;
    if (shortWait !== undefined) {
      // A few requests may have been served because real time has passed.
      if (served <= mostOfTrickle) return;
      this.#refilled.add(lane);
    }
    this.#followed = true;
    this.#inVain.delete(lane);
  }

  /** Advances the clock before a request that must not get a 429, if the key may be near its limit. */
  async makeRoom(lane: string): Promise<void> {
    const least = this.#least.get(lane);
    if (!this.#followed || least === undefined || 2 * (this.#served.get(lane) ?? 0) < least) return;
    this.#served.set(lane, 0);
    await this.#advance?.(this.#seconds);
  }

  /** Records an advance for any reason. After a long one, earlier requests no longer count. */
  moved(seconds: number): void {
    if (seconds >= this.#seconds) this.#served.clear();
  }

  /** Whether any limit has followed the clock. */
  get followed(): boolean {
    return this.#followed;
  }

  /**
   * Advances the clock by the wait that a 429 asks for, once for all requests that got it together. Returns false if
   * the caller must wait in real time.
   */
  async pass(lane: string, exchange: SentExchange, wanted: number): Promise<boolean> {
    const { clockMovedMs = 0 } = exchange;
    const inVain = this.#inVain.get(lane) ?? 0;
    if (this.#advance === undefined || inVain >= mostInVain) return false;
    const isShort = wanted < leastSeconds;
    if (isShort && !this.#refills(lane, exchange, wanted)) return false;
    const seconds = isShort ? refillSeconds : wanted;
    // If the clock was advanced after this request was sent, its 429 is outdated.
    if (this.#moving === undefined && clockMovedMs >= this.#time.movedMs) {
      this.#inVain.set(lane, inVain + 1);
      this.#least.set(lane, Math.min(this.#least.get(lane) ?? Number.POSITIVE_INFINITY, this.#served.get(lane) ?? 0));
      this.#served.set(lane, 0);
      this.#seconds = Math.max(seconds, this.#seconds);
      this.#moving = this.#advance(seconds).finally(() => {
        this.#moving = undefined;
      });
    }
    await this.#moving;
    return true;
  }

  /** Whether a limit refills gradually, because a short wait brought few requests. If not, records a short wait. */
  #refills(lane: string, { atMs }: SentExchange, seconds: number): boolean {
    if (this.#refilled.has(lane)) return true;
    const before = this.#shortWaits.get(lane);
    if (before !== undefined && atMs < before.endsAtMs) return false;
    if (before !== undefined && before.served <= mostOfTrickle) return true;
    this.#shortWaits.set(lane, { endsAtMs: this.#time.elapsedMs() + seconds * 1000, served: 0 });
    return false;
  }
}

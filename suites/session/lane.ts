import type { Exchange } from '../exchange/exchange.ts';
import { shortSeconds } from '../model/world/limits.ts';
import { mostWaitsInARow, Waits } from './patience.ts';
import type { Rate } from './run-time.ts';

/** A key that served this many times what it gets at once has a limit on its rate, not on the requests in flight. */
const servedToAtOnce = 2;

/** A limit on the rate leaves this many in flight: only so many exceed it at once, but fewer would take longer. */
const leastByRate = 4;

/** Part of a rate after which a request that should not exceed it waits. The rate is an estimate. */
const nearRate = 9 / 10;

/** A limit that serves no more requests than this after a short wait refills gradually. */
const mostOfTrickle = 3;

/** After this many 429s in a row despite advances, the limit of a key counts as following real time. */
const mostInVain = 2;

/** Requests of one key: what may be in flight, what its limit still admits, and until when it waits. */
export class Lane {
  inFlight = 0;
  /** Whether a request is in flight that goes alone. */
  isAlone = false;
  spacedUntil = 0;
  /** Waits of `Retry-After` in a row. */
  readonly waits = new Waits(mostWaitsInARow);
  /** Whether the limit has followed the clock, until advances are in vain. */
  #followsClock = false;
  /** Undefined until a 429 shows a limit on the rate in real time. */
  rate: Rate | undefined;
  #mostAtOnce: number;
  /** When requests were served since the limit had room for all: the end of a wait, or an advance of the clock. */
  #served: number[] = [];
  #servedFrom: number;
  /** The fewest served requests before the clock was advanced for a limit on the rate. */
  #least = Number.POSITIVE_INFINITY;
  /** Consecutive 429s despite advances. */
  #inVain = 0;
  /** Whether the last 429 for which the clock was advanced asked for a short wait. */
  #wasShort = false;
  /** Whether the limit refills gradually, by the deployment's clock. */
  #refills = false;

  constructor(mostAtOnce: number, now: number) {
    this.#mostAtOnce = mostAtOnce;
    this.#servedFrom = now;
  }

  /**
   * Returns when a request may be sent; infinity if that depends on a pending response. A request that goes `alone`
   * waits until no other is in flight, and one that needs `room` for room below a known rate.
   */
  next(now: number, alone: boolean, room: boolean): number {
    if (this.isAlone || this.inFlight >= (alone ? 1 : this.#mostAtOnce)) return Number.POSITIVE_INFINITY;
    return Math.max(this.waits.endsAtMs, this.spacedUntil, room ? this.#roomAt(now) : 0);
  }

  #roomAt(now: number): number {
    if (this.rate === undefined) return now;
    const { calls, windowMs } = this.rate;
    const recent = this.#servedIn(windowMs, now);
    const tooMany = Math.ceil(recent.length + this.inFlight - nearRate * calls);
    const leaving = tooMany < 0 ? undefined : recent[tooMany];
    return leaving === undefined ? now : leaving + windowMs + 1;
  }

  #servedIn(windowMs: number, now: number): number[] {
    return this.#served.slice(this.#served.findLastIndex((at) => at <= now - windowMs) + 1);
  }

  /** Whether the key may be near its limit, so that an advance of the clock makes room. */
  get isNearByClock(): boolean {
    return this.#followsClock && 2 * this.#served.length >= this.#least;
  }

  /** Records a response other than a 429. It may show that the limit follows the clock, or that a rate was too low. */
  served(now: number): void {
    if (now >= this.#servedFrom) this.#served.push(now);
    this.waits.reset();
    const { rate } = this;
    if (rate !== undefined) rate.calls = Math.max(rate.calls, this.#servedIn(rate.windowMs, now).length);
    if (this.#inVain === 0 || this.#inVain >= mostInVain) return;
    // A few requests may have been served because real time has passed.
    if (this.#wasShort && this.#served.length <= mostOfTrickle) return;
    this.#inVain = 0;
    this.#followsClock = true;
    this.#refills ||= this.#wasShort;
  }

  /**
   * Returns whether to advance the clock for a 429. Short waits are spent in real time, because a success after them
   * does not show which clock the limit follows. An exception is a limit that refills gradually.
   */
  mayFollowClock({ sentAt }: Pick<Exchange, 'sentAt'>, seconds: number): boolean {
    if (this.#inVain >= mostInVain) return false;
    if (seconds >= shortSeconds || this.#refills) return true;
    const { endsAtMs } = this.waits;
    return endsAtMs > 0 && sentAt >= endsAtMs && this.#served.length <= mostOfTrickle;
  }

  /** Records a 429 for which the clock is advanced. */
  advancing(seconds: number, now: number): void {
    this.#inVain += 1;
    if (this.#inVain >= mostInVain) this.#followsClock = false;
    this.#wasShort = seconds < shortSeconds;
    const { length } = this.#served;
    const byRate = this.#isByRate(length);
    this.#sendFewer(byRate);
    if (byRate) this.#least = Math.min(this.#least, length);
    this.hasRoom(now);
  }

  /** Returns whether so many served requests show that the limit is on the rate. */
  #isByRate(served: number): boolean {
    return served >= servedToAtOnce * this.#mostAtOnce;
  }

  /** Halves what is sent at once if that may be too much. */
  #sendFewer(byRate: boolean): void {
    if (!byRate || this.#mostAtOnce > leastByRate) this.#mostAtOnce = Math.max(1, Math.floor(this.#mostAtOnce / 2));
  }

  /** Records that the limit has room, because the clock was advanced. */
  hasRoom(now: number): void {
    this.#served = [];
    this.#servedFrom = now;
  }

  /** Ends all waits, because the clock was advanced. */
  endWaits(): void {
    this.waits.endsAtMs = this.spacedUntil = 0;
  }

  /**
   * Records a 429 that asks for a wait in real time. Of several that arrive together, the first may halve the requests
   * in flight. Returns false if the key has waited too often.
   */
  refused(now: number, exchange: Pick<Exchange, 'sentAt'>, seconds: number): boolean {
    if (this.waits.isNew(exchange)) {
      if (!this.waits.add(seconds)) return false;
      const windowMs = seconds * 1000;
      const { length: calls } = this.#servedIn(windowMs, now);
      const byRate = this.#isByRate(calls);
      if (byRate) this.rate = { calls, windowMs };
      this.#sendFewer(byRate);
      this.hasRoom(now + seconds * 1000);
    }
    this.waits.extend(seconds, now);
    return true;
  }
}

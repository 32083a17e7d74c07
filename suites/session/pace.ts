import type { Exchange } from '../exchange/exchange.ts';
import { shortSeconds } from '../model/world/limits.ts';
import type { Pace as PaceSettings } from '../target/target.ts';
import { Lane } from './lane.ts';
import type { Rate, RunTime } from './run-time.ts';

/** Seconds after which a limit that refills gradually is full, because the rate limit is per minute. */
const refillSeconds = 60;

/** Conditions of a request. Without a lane, it ignores rates and rate limits. */
export interface Entry {
  readonly lane: string | null;
  /** Requests with a lower rank go first. */
  readonly rank?: number;
  /** Waits until no other request of the lane is in flight. It then exceeds an unknown limit only as the first. */
  readonly alone?: boolean;
  /** Waits if the lane is near a limit that it has shown. */
  readonly room?: boolean;
  /**
   * Called when the pace allows the request. While it returns false, this request and all later ones with an `admit`
   * wait for others to leave, so that small requests do not starve a large one. If it throws, the request is not sent.
   */
  readonly admit?: (() => boolean) | undefined;
}

interface Waiting extends Omit<Entry, 'lane'> {
  readonly lane: Lane | null;
  readonly enter: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Admits requests: at most `concurrency` at once, and each lane (a key) at its rate. A 429 pauses its lane as long as
 * it asks for, and halves what the lane sends at once, down to a few for a limit on the rate. If the limit follows the
 * clock of the deployment, the kit advances it instead. A gateway in front of the application may have its own
 * clock: then advancing is useless, and the kit waits in real time. Requests of one rank are admitted in order of
 * arrival. A lane that must wait does not block other lanes.
 */
export class Pace {
  readonly #concurrency: number;
  #spacingMs: number;
  readonly #time: Pick<RunTime, 'elapsedMs' | 'movedMs' | 'after'>;
  readonly #advance: ((seconds: number) => Promise<void>) | undefined;
  readonly #queue: Waiting[] = [];
  readonly #lanes = new Map<string, Lane>();
  #isOpen = false;
  #pausedUntil = 0;
  /** Most requests that may be in flight at present. */
  #most: number;
  #inside = 0;
  /** Cancels the timer for the next request that must wait. */
  #callOff: () => void = () => undefined;
  /** Longest advance for a 429, after which every limit has room. */
  #seconds = 1;
  #advancing: Promise<void> | undefined;

  /** Without `advance`, all rate limits are waited out in real time. */
  constructor(
    { concurrency, requestsPerMinute }: Pick<PaceSettings, 'concurrency' | 'requestsPerMinute'>,
    time: Pick<RunTime, 'elapsedMs' | 'movedMs' | 'after'>,
    advance?: (seconds: number) => Promise<void>,
  ) {
    this.#concurrency = concurrency;
    this.#most = concurrency;
    this.#spacingMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
    this.#time = time;
    this.#advance = advance;
  }

  /** Resolves when a request may be sent. Each call must then be followed by one `leave` of the same lane. */
  async enter({ lane: name, ...entry }: Entry): Promise<void> {
    const lane = name === null ? null : this.#lane(name);
    const isNear = entry.room === true && lane?.isNearByClock === true;
    if (isNear) await this.#makeRoom(this.#time.movedMs + this.#seconds * 1000);
    await new Promise<void>((enter, fail) => {
      this.#queue.push({ ...entry, lane, enter, fail });
      this.#pump();
    });
  }

  leave(name: string | null): void {
    this.#inside -= 1;
    if (name !== null) {
      const lane = this.#lane(name);
      lane.inFlight -= 1;
      lane.isAlone = false;
    }
    this.#pump();
  }

  /** Records a response that is neither a 429 nor a 5xx. */
  served(name: string): void {
    this.#most = this.#concurrency;
    this.#lane(name).served(this.#time.elapsedMs());
  }

  /**
   * Advances the clock by the wait that a 429 asks for, once for all requests that got it together. Returns false if
   * the wait must be in real time.
   */
  async waitByClock(name: string, exchange: Exchange, wanted: number): Promise<boolean> {
    const lane = this.#lane(name);
    if (this.#advance === undefined || !lane.mayFollowClock(exchange, wanted)) return false;
    const seconds = wanted < shortSeconds ? refillSeconds : wanted;
    // If the clock was advanced after this request was sent, its 429 shows nothing new.
    if (this.#advancing === undefined && exchange.clockMoved >= this.#time.movedMs) {
      lane.advancing(wanted, this.#time.elapsedMs());
      this.#seconds = Math.max(seconds, this.#seconds);
    }
    await this.#makeRoom(exchange.clockMoved + seconds * 1000);
    return true;
  }

  /** Advances the clock to `movedMs`, once for all requests that want it at the same time. */
  async #makeRoom(movedMs: number): Promise<void> {
    while (this.#advancing !== undefined) await this.#advancing;
    const seconds = (movedMs - this.#time.movedMs) / 1000;
    if (seconds <= 0) return;
    this.#advancing = this.#advance?.(seconds).finally(() => {
      this.#advancing = undefined;
    });
    await this.#advancing;
  }

  /**
   * Pauses the lane of a 429 in real time. Returns why the kit does not wait, if the key has waited too often;
   * otherwise undefined.
   */
  refused(name: string, exchange: Pick<Exchange, 'sentAt'>, seconds: number): string | undefined {
    const lane = this.#lane(name);
    const mayWait = lane.refused(this.#time.elapsedMs(), exchange, seconds);
    return mayWait ? undefined : `still 429 after ${lane.waits.inWords}`;
  }

  /** Pauses all lanes for `seconds`, then admits one request at a time until a request is served. */
  pauseAll(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#time.elapsedMs() + seconds * 1000);
    this.#most = 1;
  }

  /** Returns the rate that a lane has shown in real time; undefined if no 429 has limited it. */
  rateOf(lane: string): Rate | undefined {
    return this.#lanes.get(lane)?.rate;
  }

  /** Ends all waits of keys, because the deployment's clock was advanced, for any reason. */
  advanced(seconds: number): void {
    for (const lane of this.#lanes.values()) {
      lane.endWaits();
      if (seconds >= this.#seconds) lane.hasRoom(this.#time.elapsedMs());
    }
    this.#pump();
  }

  /** Limits only concurrency from now on. The requests that wait here were cancelled. */
  open(): void {
    this.#isOpen = true;
    this.#spacingMs = 0;
    this.#most = this.#concurrency;
    this.#pump();
  }

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? new Lane(this.#concurrency, this.#time.elapsedMs());
    this.#lanes.set(name, lane);
    return lane;
  }

  #pump(): void {
    this.#callOff();
    const now = this.#time.elapsedMs();
    const wakeAt = !this.#isOpen && now < this.#pausedUntil ? this.#pausedUntil : this.#admitAll(now);
    if (wakeAt < Number.POSITIVE_INFINITY) this.#callOff = this.#time.after(wakeAt - now, () => this.#pump());
  }

  /** Admits what may be sent now. Returns when more may be sent; infinity if that depends on a pending response. */
  #admitAll(now: number): number {
    let wakeAt = Number.POSITIVE_INFINITY;
    this.#queue.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    // If a request must wait, all later requests of its lane must wait too.
    const held = new Set<Lane | null>();
    let isFull = false;
    for (const waiting of [...this.#queue]) {
      if (this.#inside >= this.#most) return wakeAt;
      const { lane, alone = false, room = false, admit } = waiting;
      const next = lane === null || this.#isOpen ? now : lane.next(now, alone, room);
      if (next > now || (lane !== null && held.has(lane))) {
        held.add(lane);
        if (next > now) wakeAt = Math.min(wakeAt, next);
        continue;
      }
      try {
        if (admit !== undefined && (isFull || !admit())) {
          isFull = true;
          continue;
        }
      } catch (error) {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        waiting.fail(error);
        continue;
      }
      if (lane !== null) {
        if (this.#spacingMs > 0) lane.spacedUntil = now + this.#spacingMs;
        lane.inFlight += 1;
        lane.isAlone = alone;
      }
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      this.#inside += 1;
      waiting.enter();
    }
    return wakeAt;
  }
}

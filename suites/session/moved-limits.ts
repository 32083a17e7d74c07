import type { Exchange } from '../exchange.ts';
import type { RunTime } from './run-time.ts';

/** A shorter wait is spent in real time: being served after it would not tell by which clock. */
const leastSeconds = 5;

/**
 * How often in a row a key may be refused although the clock was moved, before its limit is taken for one of real time.
 */
const mostInVain = 2;

/**
 * Rate limits that follow the deployment's clock are not waited out: the clock is moved. A gateway in front of the
 * application may have a clock of its own; then moving is in vain, and the kit waits in real time from then on.
 */
export class MovedLimits {
  readonly #time: Pick<RunTime, 'movedMs'>;
  readonly #advance: ((seconds: number) => Promise<void>) | undefined;
  readonly #inVain = new Map<string, number>();
  /** How often each key was served since the clock was moved for it, and before that at least. */
  readonly #served = new Map<string, number>();
  readonly #least = new Map<string, number>();
  #followed = false;
  #seconds = 1;
  #moving: Promise<void> | undefined;

  /** Without a clock that can be moved nothing follows it. */
  constructor(time: Pick<RunTime, 'movedMs'>, advance: ((seconds: number) => Promise<void>) | undefined) {
    this.#time = time;
    this.#advance = advance;
  }

  /** A key was served: if the clock was moved for it, its limit follows. */
  served(lane: string): void {
    this.#served.set(lane, (this.#served.get(lane) ?? 0) + 1);
    const inVain = this.#inVain.get(lane);
    if (inVain === undefined || inVain >= mostInVain) return;
    this.#followed = true;
    this.#inVain.delete(lane);
  }

  /** Moves the clock ahead of a request that must not meet a 429, where the key may be near its limit. */
  async makeRoom(lane: string): Promise<void> {
    const least = this.#least.get(lane);
    if (!this.#followed || least === undefined || 2 * (this.#served.get(lane) ?? 0) < least) return;
    this.#served.set(lane, 0);
    await this.#advance?.(this.#seconds);
  }

  /** The clock was moved, for whatever reason: what was served before counts no more. */
  moved(seconds: number): void {
    if (seconds >= this.#seconds) this.#served.clear();
  }

  /** Whether a limit was seen to follow the clock. */
  get followed(): boolean {
    return this.#followed;
  }

  /**
   * Moves the clock as far as a 429 says, once for all that met it together; false where that was in vain.
   */
  async pass(lane: string, { clockMovedMs = 0 }: Exchange, seconds: number): Promise<boolean> {
    const inVain = this.#inVain.get(lane) ?? 0;
    if (this.#advance === undefined || seconds < leastSeconds || inVain >= mostInVain) return false;
    // Where the clock was moved since this one was sent, it met a 429 that is over.
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
}

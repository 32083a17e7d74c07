import type { Effect } from '../../fixtures/effects.ts';
import type { Missing } from '../result.ts';
import type { Counted } from './ceilings.ts';

/** Thrown where a check cannot go on for want of something, which is no fault of the deployment. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  readonly missing: readonly Missing[];

  constructor(reason: string, missing: readonly Missing[] = []) {
    super(reason);
    this.missing = missing;
  }
}

/** What the run may still do: the effects allowed, the images left, and the calls left with each key. */
export class Budget {
  readonly #allowed: Set<Effect>;
  readonly #maxImages: number;
  readonly #stopped = new Map<Effect, string>();
  #confirmed = 0;
  #setAside = 0;
  #waiting: (() => void)[] = [];
  #callsLeft: Map<Counted, number> | undefined;

  constructor(allowed: readonly Effect[], maxImages: number) {
    this.#allowed = new Set(allowed);
    this.#maxImages = maxImages;
  }

  allows(effect: Effect): boolean {
    return this.#allowed.has(effect) && !this.#stopped.has(effect);
  }

  /** Throws `NotExercised` unless the effect is allowed. */
  require(effect: Effect): void {
    const stopped = this.#stopped.get(effect);
    if (stopped !== undefined) throw new NotExercised(stopped);
    if (!this.#allowed.has(effect)) {
      throw new NotExercised(`the effect '${effect}' is not allowed`, [{ kind: 'effect', effect }]);
    }
  }

  /**
   * Sets images aside before a confirmation is sent. Waits for confirmations under way, most of which dispatch nothing;
   * throws `NotExercised` where fewer are left for certain.
   */
  async reserveImages(count: number): Promise<void> {
    for (;;) {
      this.require('spending');
      if (this.#confirmed + count > this.#maxImages) {
        throw new NotExercised(`maxImages is ${this.#maxImages}, and confirming this could go beyond it`, [
          { kind: 'setting', setting: 'maxImages' },
        ]);
      }
      if (this.#confirmed + this.#setAside + count <= this.#maxImages) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#setAside += count;
  }

  /**
   * Sets aside as many images as are left, up to `most`, for calls of which one alone ought to dispatch. Waits until half
   * of that is free; throws `NotExercised` where fewer than two are left, since one call is no race. Returns how many.
   */
  async reserveSeveral(most: number): Promise<number> {
    for (;;) {
      const left = Math.min(most, this.#maxImages - this.#confirmed);
      if (left < 2) await this.reserveImages(2);
      const free = Math.min(left, this.#maxImages - this.#confirmed - this.#setAside);
      if (free >= 2 && free >= left / 2) {
        await this.reserveImages(free);
        return free;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Says what became of images set aside. */
  settleImages(setAside: number, confirmed: number): void {
    this.#setAside -= setAside;
    this.#confirmed += confirmed;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Says how many calls may be made with each key; without this as many as anybody likes. */
  limitCalls(most: ReadonlyMap<Counted, number>): void {
    this.#callsLeft = new Map(most);
  }

  /** Counts calls before they are sent; throws `NotExercised` where they are more than the run allows itself. */
  countCalls(counted: Counted, calls: number): void {
    const left = this.#callsLeft?.get(counted);
    if (left === undefined) return;
    if (left < calls) {
      throw new NotExercised(`the run has made as many calls as it allows itself with the key '${counted}'`);
    }
    this.#callsLeft?.set(counted, left - calls);
  }

  /** Counts images that ran although nothing was set aside for them, and lets no more effects of that kind happen. */
  stopAfterSurprise(images: number): void {
    this.#confirmed += images;
    const reason = 'stopped: a call that should not have spent dispatched images';
    this.#stopped.set('proposals', reason);
    this.#stopped.set('spending', reason);
  }
}

import type { Effect } from '../../fixtures/effects.ts';
import type { Missing } from '../result.ts';

/** Thrown where a check cannot go on for want of something, which is no fault of the deployment. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  readonly missing: readonly Missing[];

  constructor(reason: string, missing: readonly Missing[] = []) {
    super(reason);
    this.missing = missing;
  }
}

/** What the run may still do: the effects allowed, and the images left. */
export class Budget {
  readonly #allowed: Set<Effect>;
  readonly #maxImages: number;
  readonly #stopped = new Map<Effect, string>();
  #reserved = 0;

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

  /** Sets images aside before a confirmation is sent; throws `NotExercised` where fewer are left. */
  reserveImages(count: number): void {
    this.require('spending');
    if (this.#reserved + count > this.#maxImages) {
      throw new NotExercised(`maxImages is ${this.#maxImages}, and confirming this would go beyond it`, [
        { kind: 'setting', setting: 'maxImages' },
      ]);
    }
    this.#reserved += count;
  }

  /** Gives back what was set aside for a confirmation that dispatched nothing. */
  releaseImages(count: number): void {
    this.#reserved -= count;
  }

  /** Counts images that ran although nothing was set aside for them, and lets no more effects of that kind happen. */
  stopAfterSurprise(images: number): void {
    this.#reserved += images;
    const reason = 'stopped: a call that should not have spent dispatched images';
    this.#stopped.set('proposals', reason);
    this.#stopped.set('spending', reason);
  }
}

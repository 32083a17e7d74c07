import type { Effect } from '../../fixtures/side-effects.ts';
import type { Missing } from '../result.ts';
import { Allowance } from './allowance.ts';
import { type Counted, mostContentRequests } from './ceilings.ts';

/** Thrown where a check cannot go on for want of something, which is no fault of the deployment. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  readonly missing: readonly Missing[];

  constructor(reason: string, missing: readonly Missing[] = []) {
    super(reason);
    this.missing = missing;
  }
}

/** What the run may still do: the effects allowed, the images and content requests left, and the calls left with each key. */
export class Budget {
  readonly #allowed: Set<Effect>;
  readonly #images: Allowance;
  readonly #contentRequests = new Allowance(mostContentRequests);
  readonly #stopped = new Map<Effect, string>();
  readonly #ceilingsMet = new Set<string>();
  #callsLeft: Map<Counted, number> | undefined;

  constructor(allowed: readonly Effect[], maxImages: number) {
    this.#allowed = new Set(allowed);
    this.#images = new Allowance(maxImages);
  }

  /** The ceilings that the run has met and that no setting raises, one sentence each. */
  get ceilingsMet(): readonly string[] {
    return [...this.#ceilingsMet];
  }

  allows(effect: Effect): boolean {
    return this.#allowed.has(effect) && !this.#stopped.has(effect);
  }

  /** Throws `NotTested` unless the effect is allowed. */
  require(effect: Effect): void {
    const stopped = this.#stopped.get(effect);
    if (stopped !== undefined) throw new NotTested(stopped);
    if (!this.#allowed.has(effect)) {
      throw new NotTested(`the effect '${effect}' is not allowed`, [{ kind: 'effect', effect }]);
    }
  }

  /** Sets images aside before a confirmation is sent, as an allowance does; throws `NotTested` where too few are left. */
  async reserveImages(count: number): Promise<void> {
    if (await this.#images.reserve(count, () => this.require('spending'))) return;
    throw new NotTested(`maxImages is ${this.#images.most}, and confirming this could go beyond it`, [
      { kind: 'setting', setting: 'maxImages' },
    ]);
  }

  /**
   * Sets aside as many images as are left, up to `most`, for calls of which one alone ought to dispatch. Waits until half
   * of that is free; throws `NotTested` where fewer than two are left, since one call is no race. Returns how many.
   */
  async reserveSeveral(most: number): Promise<number> {
    for (;;) {
      const left = Math.min(most, this.#images.left);
      if (left < 2) await this.reserveImages(2);
      const free = Math.min(left, this.#images.free);
      if (free >= 2 && free >= left / 2) {
        await this.reserveImages(free);
        return free;
      }
      await this.#images.settled();
    }
  }

  /** Says what became of images set aside. */
  settleImages(setAside: number, confirmed: number): void {
    this.#images.settle(setAside, confirmed);
  }

  /** Sets a content request aside before a call that may create it; throws `NotTested` where the run allows itself no more. */
  async reserveContentRequest(): Promise<void> {
    if (await this.#contentRequests.reserve(1, () => this.require('writes'))) return;
    throw this.#ceiling(
      `the run has created ${mostContentRequests} content requests, the most that it allows itself on any deployment`,
    );
  }

  /** Says whether the content request that was set aside was created. */
  settleContentRequest(created: boolean): void {
    this.#contentRequests.settle(1, created ? 1 : 0);
  }

  /** Says how many calls may be made with each key; without this as many as anybody likes. */
  limitCalls(most: ReadonlyMap<Counted, number>): void {
    this.#callsLeft = new Map(most);
  }

  /** Counts calls before they are sent; throws `NotTested` where they are more than the run allows itself. */
  countCalls(counted: Counted, calls: number): void {
    const left = this.#callsLeft?.get(counted);
    if (left === undefined) return;
    if (left < calls) {
      throw this.#ceiling(`the run has sent as many requests as it allows itself with the key '${counted}'`);
    }
    this.#callsLeft?.set(counted, left - calls);
  }

  /** Counts images that ran although nothing was set aside for them, and lets no more effects of that kind happen. */
  stopAfterSurprise(images: number): void {
    const reason = 'stopped: a call that should not have spent dispatched images';
    this.#stopped.set('proposals', reason);
    this.#stopped.set('spending', reason);
    this.#images.settle(0, images);
  }

  #ceiling(reason: string): NotTested {
    this.#ceilingsMet.add(reason);
    return new NotTested(reason);
  }
}

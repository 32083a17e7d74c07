import type { Effect } from '../../fixtures/side-effects.ts';
import type { Missing } from '../result.ts';
import { Allowance } from './allowance.ts';
import { type Counted, mostContentRequests } from './ceilings.ts';

/** Thrown where a check cannot go on for want of something, which is no fault of the deployment. */
export class NotTested extends Error {
  override readonly name: string = 'NotTested';
  readonly missing: readonly Missing[];

  constructor(reason: string, missing: readonly Missing[] = []) {
    super(reason);
    this.missing = missing;
  }
}

/** What the run may still do: the effects allowed, the content requests left, and the calls left with each key. */
export class Budget {
  readonly #allowed: Set<Effect>;
  readonly #contentRequests: Allowance;
  readonly #stopped = new Map<Effect, string>();
  readonly #stops = new Set<string>();
  #callsLeft: Map<Counted, number> | undefined;

  constructor(allowed: readonly Effect[], signal?: AbortSignal) {
    this.#allowed = new Set(allowed);
    this.#contentRequests = new Allowance(mostContentRequests, signal);
  }

  /**
   * Why the run does less than it was asked to, one sentence each: ceilings that no setting raises, and what it saw.
   */
  get stops(): readonly string[] {
    return [...this.#stops];
  }

  allows(effect: Effect): boolean {
    return this.#allowed.has(effect) && !this.#stopped.has(effect);
  }

  /** Throws `NotTested` unless the effect is allowed. */
  require(effect: Effect): void {
    const stopped = this.#stopped.get(effect);
    if (stopped !== undefined) throw new NotTested(stopped);
    if (!this.#allowed.has(effect)) {
      throw new NotTested(`side effect '${effect}' is not allowed`, [{ kind: 'effect', effect }]);
    }
  }

  /**
   * Sends a request that may create a content request; `declined` says of its response that nothing was created. Throws
   * `NotTested` if the run has reached its limit.
   */
  async createContentRequest<T>(send: () => Promise<T>, declined: (response: T) => boolean): Promise<T> {
    let created = true;
    const wanted = (left: number, free: number) => {
      this.require('writes');
      if (left > 0) return free > 0 ? 1 : 'wait';
      throw this.#ceiling(
        `the run may have created ${mostContentRequests} content requests, which is its limit on any deployment`,
      );
    };
    const use = async () => {
      const response = await send();
      created = !declined(response);
      return response;
    };
    return await this.#contentRequests.using(wanted, use, () => (created ? 1 : 0));
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
      throw this.#ceiling(`the run has reached its limit of requests with the key '${counted}'`);
    }
    this.#callsLeft?.set(counted, left - calls);
  }

  /** Lets no more of these effects happen, whatever is allowed. */
  stop(effects: readonly Effect[], reason: string): void {
    for (const effect of effects) if (!this.#stopped.has(effect)) this.#stopped.set(effect, reason);
    this.note(reason);
  }

  /** Notes why the run does less than it was asked to. */
  note(reason: string): void {
    this.#stops.add(reason);
  }

  #ceiling(reason: string): NotTested {
    this.note(reason);
    return new NotTested(reason);
  }
}

import type { Effect } from '../../fixtures/side-effects.ts';
import type { Missing } from '../result.ts';
import { Allowance } from './allowance.ts';
import { type Counted, mostContentRequests } from './ceilings.ts';

/** Thrown if a check lacks something that it needs. The deployment is not at fault. */
export class NotTested extends Error {
  override readonly name: string = 'NotTested';
  readonly missing: readonly Missing[];

  constructor(reason: string, missing: readonly Missing[] = []) {
    super(reason);
    this.missing = missing;
  }
}

/** Thrown if another client may have disturbed a story. The engine runs the story again. */
export class Disturbed extends NotTested {
  override readonly name: string = 'Disturbed';
}

/** Rest of the run's budget: allowed side effects, content requests, and requests per key. */
export class Budget {
  readonly #allowed: Set<Effect>;
  readonly #contentRequests: Allowance;
  readonly #stopped = new Map<Effect, NotTested>();
  readonly #stops = new Set<string>();
  #callsLeft: Map<Counted, number> | undefined;

  constructor(allowed: readonly Effect[], signal?: AbortSignal) {
    this.#allowed = new Set(allowed);
    this.#contentRequests = new Allowance(mostContentRequests, signal);
  }

  /** Reasons why the run does less than requested, one sentence each: fixed limits and observed problems. */
  get stops(): readonly string[] {
    return [...this.#stops];
  }

  allows(effect: Effect): boolean {
    return this.#allowed.has(effect) && !this.#stopped.has(effect);
  }

  /** Throws `NotTested` unless the side effect is allowed. */
  require(effect: Effect): void {
    const stopped = this.#stopped.get(effect);
    if (stopped !== undefined) throw new NotTested(stopped.message, stopped.missing);
    if (!this.#allowed.has(effect)) {
      throw new NotTested(`side effect '${effect}' is not allowed`, [{ kind: 'effect', effect }]);
    }
  }

  /**
   * Sends a request that may create a content request. Afterward, `mayHaveCreated` returns whether it did, even if
   * `send` throws. Throws `NotTested` if the run has reached its limit.
   */
  async createContentRequest<T>(send: () => Promise<T>, mayHaveCreated: () => boolean): Promise<T> {
    const wanted = (left: number, free: number) => {
      this.require('writes');
      if (left > 0) return free > 0 ? 1 : 'wait';
      throw this.#ceiling(
        `the run may have created ${mostContentRequests} content requests, which is its limit on any deployment`,
      );
    };
    return await this.#contentRequests.using(wanted, send, () => (mayHaveCreated() ? 1 : 0));
  }

  /** Sets the most requests per key. Default: no limit. */
  limitCalls(most: ReadonlyMap<Counted, number>): void {
    this.#callsLeft = new Map(most);
  }

  /** Counts requests before they are sent. Throws `NotTested` if they exceed the limit of the key. */
  countCalls(counted: Counted, calls: number): void {
    const left = this.#callsLeft?.get(counted);
    if (left === undefined) return;
    if (left < calls) {
      throw this.#ceiling(`the run has reached its limit of requests with the key '${counted}'`);
    }
    this.#callsLeft?.set(counted, left - calls);
  }

  /** Forbids these side effects for the rest of the run. */
  stop(effects: readonly Effect[], reason: string, missing: readonly Missing[] = []): void {
    const stopped = new NotTested(reason, missing);
    for (const effect of effects) if (!this.#stopped.has(effect)) this.#stopped.set(effect, stopped);
    this.note(reason);
  }

  /** Records why the run does less than requested. */
  note(reason: string): void {
    this.#stops.add(reason);
  }

  #ceiling(reason: string): NotTested {
    this.note(reason);
    return new NotTested(reason);
  }
}

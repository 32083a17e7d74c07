import { type Role, roles, servedRoles } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Missing } from '../result.ts';
import type { Target } from '../target/target.ts';

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

/** Rest of the run's budget: allowed side effects, and requests per key. */
export class Budget {
  readonly #allowed: Set<Effect>;
  readonly #stopped = new Map<Effect, NotTested>();
  readonly #stops = new Set<string>();
  #callsLeft: Map<Counted, number> | undefined;

  constructor(allowed: readonly Effect[]) {
    this.#allowed = new Set(allowed);
  }

  /** Reasons why the run does less than requested, one sentence each: fixed limits and observed problems. */
  get stops(): readonly string[] {
    return [...this.#stops];
  }

  /** Throws `NotTested` unless the side effect is allowed. */
  require(effect: Effect): void {
    const stopped = this.#stopped.get(effect);
    if (stopped !== undefined) throw new NotTested(stopped.message, stopped.missing);
    if (!this.#allowed.has(effect)) {
      throw new NotTested(`side effect '${effect}' is not allowed`, [{ kind: 'effect', effect }]);
    }
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
      throw this.ceiling(`the run has reached its limit of requests with the key '${counted}'`);
    }
    this.#callsLeft?.set(counted, left - calls);
  }

  /** Forbids these side effects for the rest of the run. */
  stop(effects: readonly Effect[], reason: string, missing: readonly Missing[] = []): void {
    const stopped = new NotTested(reason, missing);
    for (const effect of effects) if (!this.#stopped.has(effect)) this.#stopped.set(effect, stopped);
    this.note(reason);
  }

  note(reason: string): void {
    this.#stops.add(reason);
  }

  /** Notes that the run has reached a limit, and returns what to throw. */
  ceiling(reason: string): NotTested {
    this.note(reason);
    return new NotTested(reason);
  }
}

/** Properties of a run that determine the number of its requests, apart from the stories. */
interface Extent {
  /** Whether the run also tests open questions. */
  observing: boolean;
  explore: number;
  /** Side effects that the selected stories use. Default: all that are allowed. */
  uses?: ReadonlySet<Effect> | undefined;
}

/** Budget bucket: one per role, and one for all invalid credentials. */
export type Counted = Role | 'other';

/**
 * Requests with a key that the stories send to a conforming deployment, plus half as many again. The numbers of
 * conforming deployments differ by far less. They depend on what is allowed.
 */
const primaryCalls = { reading: 600, writes: 400, proposals: 250, spending: 160, observing: 120 };
const otherCalls = { reading: 260, changing: 220, observing: 40 };

/**
 * Most content requests that a run creates at any deployment. Without `--explore`, a conforming deployment creates a
 * third as many, because it creates nothing when it must refuse.
 */
export const mostContentRequests = 135;

/** Most simultaneous requests that present one ID, because each of them may dispatch. */
export const mostRunners = 4;

/**
 * Most repetitions of one request after a 429, a broken connection or a 5xx. The last two apply only to reading
 * requests.
 */
export const mostRepeats = { on429: 20, changingOn429: 1, onBreak: 3, on5xx: 1 };

/** Most times that the run reaches the rate limit of `throttled`. */
const bursts = 4;

/**
 * Returns the most requests of a run per key. Only repetitions after a 429, a 5xx or a broken connection may exceed
 * them. Roles without a key are omitted.
 */
export function ceilings(target: Pick<Target, 'keys' | 'allow' | 'pace'>, extent: Extent): Map<Counted, number> {
  const configured = roles.filter((role) => target.keys[role] !== undefined);
  return new Map<Counted, number>([
    ...configured.map((role): [Role, number] => [role, ceilingOf(role, target, extent)]),
    ['other', 500 + extent.explore],
  ]);
}

/** Each generated request may use any key. */
function ceilingOf(role: Role, { allow, pace }: Pick<Target, 'allow' | 'pace'>, extent: Extent): number {
  const { observing, explore, uses } = extent;
  const ifUsed = (effect: Effect, calls: number) =>
    allow.includes(effect) && (uses === undefined || uses.has(effect)) ? calls : 0;
  if (role === 'primary') {
    const { reading, writes, proposals, spending } = primaryCalls;
    const changing = ifUsed('writes', writes) + ifUsed('proposals', proposals) + ifUsed('spending', spending);
    return reading + changing + (observing ? primaryCalls.observing : 0) + explore;
  }
  if (!servedRoles.includes(role)) return otherCalls.reading + explore;
  const changing = allow.includes('writes') || allow.includes('proposals') ? otherCalls.changing : 0;
  const burst = role === 'throttled' ? ifUsed('throttling', bursts * pace.maxBurst) : 0;
  return otherCalls.reading + changing + (observing ? otherCalls.observing : 0) + burst + explore;
}

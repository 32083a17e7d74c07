import { seededNumber } from '../seeded/random.ts';
import { type Aim, checkedFault, type Fault, meets } from './fault.ts';

/** A fault with its number and the sequence number of the event that it matched. */
export interface QueuedFault extends Fault {
  readonly fault: number;
  /** Number of remaining matches, if more than one. */
  readonly left?: number;
  readonly metBy: number | null;
}

interface Entry {
  readonly number: number;
  readonly fault: Fault;
  readonly ofProfile: boolean;
  /** Number of requests that `meets` accepted. */
  seen: number;
  struck: number;
}

/** Maximum number of queued faults, and of matched faults that are kept. */
export const mostFaults = 1000;

export function neverMetMessage(faults: readonly QueuedFault[]): string {
  const told = faults.map(({ fault, metBy: _, left: _left, ...what }) => `${fault} ${JSON.stringify(what)}`);
  return `No request met ${told.length === 1 ? 'the fault' : 'the faults'} ${told.join(', ')}.`;
}

/**
 * Faults of one sandbox. A request gets the first fault that applies to it. Faults with `times: 'always'` come after
 * all others. The seed determines each probability and latency, by tool and number of earlier requests to this tool, so
 * that parallel requests to other tools do not change them.
 */
export class FaultQueue {
  readonly #profile: readonly Fault[];
  readonly #seed: number;
  readonly #onAdded: (fault: QueuedFault) => void;
  #entries: Entry[] = [];
  #done: QueuedFault[] = [];
  #given = 0;
  readonly #counts = new Map<string, number>();

  constructor(profile: readonly Fault[], seed: number, onAdded: (fault: QueuedFault) => void) {
    this.#profile = profile;
    this.#seed = seed;
    this.#onAdded = onAdded;
    this.reset();
  }

  /**
   * Queues faults in order and returns their numbers. Throws a RangeError for too many faults or an invalid fault. On
   * error, it queues none.
   */
  add(...faults: readonly Fault[]): number[] {
    if (faults.length === 0) throw new RangeError('The queue: expected at least one fault.');
    for (const fault of faults) checkedFault(fault);
    if (this.#entries.length + faults.length > mostFaults) {
      throw new RangeError(`The queue takes at most ${mostFaults} faults; it has ${this.#entries.length}.`);
    }
    const added = this.#queue(faults, false);
    for (const entry of added) this.#onAdded(queuedOf(entry));
    return added.map(({ number }) => number);
  }

  /** Returns the faults that still wait for a request. */
  unmet(): readonly QueuedFault[] {
    return this.#entries.map(queuedOf);
  }

  /** Returns the faults that matched no request, except those of the profile and those with a probability below 1. */
  neverMet(): readonly QueuedFault[] {
    return this.#entries
      .filter(({ ofProfile, struck, fault }) => !ofProfile && struck === 0 && (fault.probability ?? 1) === 1)
      .map(queuedOf);
  }

  /** Throws an Error that lists the faults of `neverMet`, because a test of such a fault tested nothing. */
  verify(): void {
    const never = this.neverMet();
    if (never.length > 0) throw new Error(neverMetMessage(never));
  }

  /** Returns the latest faults that matched a request. */
  met(): readonly QueuedFault[] {
    return [...this.#done];
  }

  /** Deletes all faults, including those of the profile. */
  clear(): void {
    this.#entries = [];
    this.#done = [];
  }

  /**
   * Restores the faults of the profile.
   * @internal
   */
  reset(): void {
    this.clear();
    this.#given = 0;
    this.#counts.clear();
    this.#queue(this.#profile, true);
  }

  /**
   * Returns the fault that applies to a request, and its latency.
   * @internal
   */
  take(aim: Aim) {
    if (this.#entries.length === 0) return undefined;
    const count = this.#counts.get(aim.tool) ?? 0;
    this.#counts.set(aim.tool, count + 1);
    const matching = this.#entries.filter(({ fault }) => meets(fault, aim));
    for (const entry of matching) entry.seen += 1;
    const random = ({ number }: Entry, purpose: string) =>
      seededNumber(this.#seed, 'fault', String(number), aim.tool, String(count), purpose);
    const entry = matching.find((entry) => {
      const { after = 0, probability = 1 } = entry.fault;
      return entry.seen > after && (probability === 1 || random(entry, 'probability') < probability);
    });
    if (entry === undefined) return undefined;
    entry.struck += 1;
    if (entry.fault.times !== 'always' && entry.struck === (entry.fault.times ?? 1)) {
      this.#entries = this.#entries.filter((other) => other !== entry);
    }
    const { left: _, ...fault } = queuedOf(entry);
    return { fault, latencyMs: latencyOf(fault, (purpose) => random(entry, purpose)) };
  }

  /**
   * Records the event that a taken fault matched.
   * @internal
   */
  settle(fault: QueuedFault, metBy: number): void {
    this.#done.push({ ...fault, metBy });
    if (this.#done.length > mostFaults) this.#done.shift();
  }

  #queue(faults: readonly Fault[], ofProfile: boolean): Entry[] {
    const added = faults.map((fault) => {
      this.#given += 1;
      return { number: this.#given, fault, ofProfile, seen: 0, struck: 0 };
    });
    const isLasting = ({ fault }: Entry) => fault.times === 'always';
    this.#entries = [...this.#entries, ...added].sort((a, b) => Number(isLasting(a)) - Number(isLasting(b)));
    return added;
  }
}

function queuedOf({ number, fault, struck }: Entry): QueuedFault {
  const left = fault.times === 'always' ? 1 : (fault.times ?? 1) - struck;
  return { ...fault, fault: number, ...(left > 1 ? { left } : {}), metBy: null };
}

/** The 95th percentile of the standard normal distribution. */
const z95 = 1.6448536;
const mostMs = 600_000;

/** Returns the latency of one response. Latencies with percentiles are log-normal. */
function latencyOf({ latencyMs }: Fault, random: (purpose: string) => number): number | undefined {
  if (latencyMs === undefined || typeof latencyMs === 'number') return latencyMs;
  const { p50, p95 } = latencyMs;
  // A normally distributed number, by the Box–Muller transform.
  const normal = Math.sqrt(-2 * Math.log(1 - random('radius'))) * Math.cos(2 * Math.PI * random('angle'));
  return Math.min(mostMs, Math.round(p50 * Math.exp((Math.log(p95 / p50) / z95) * normal)));
}

import { seededNumber } from '../seeded/random.ts';
import { type Aim, type Fault, meets, requireFault } from './fault.ts';

/** A fault with its number and the sequence number of the event that it matched. */
export interface QueuedFault extends Fault {
  readonly fault: number;
  /** Number of remaining matches, if more than one. */
  readonly left?: number;
  readonly metBy: number | null;
}

/**
 * Faults of one sandbox. A request gets the first fault that applies to it. Faults with `times: 'always'` come after
 * all others.
 */
export interface Faults {
  /**
   * Queues faults in order and returns their numbers. Throws a RangeError for too many faults or an invalid fault. On
   * error, it queues none.
   */
  readonly add: (...faults: readonly Fault[]) => number[];
  /** Faults that still wait for a request. */
  readonly unmet: () => readonly QueuedFault[];
  /** Faults that matched no request at all, except those of the profile and those with a probability below 1. */
  readonly neverMet: () => readonly QueuedFault[];
  /** Throws an Error that lists the faults of `neverMet`, because a test of such a fault tested nothing. */
  readonly verify: () => void;
  /** The latest faults that matched a request. */
  readonly met: () => readonly QueuedFault[];
  /** Deletes all faults, including those of the profile. */
  readonly clear: () => void;
}

/** A fault that applies to a request. */
export interface Struck {
  readonly fault: QueuedFault;
  readonly latencyMs: number | undefined;
}

export interface FaultQueue extends Faults {
  readonly take: (aim: Aim) => Struck | undefined;
  /** Records the event that a taken fault matched. */
  readonly settle: (fault: QueuedFault, metBy: number) => void;
  /** Restores the faults of the profile. */
  readonly reset: () => void;
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
 * Creates the faults of a sandbox. The seed determines each probability and latency, by tool and number of earlier
 * requests to this tool, so that parallel requests to other tools do not change them.
 */
export function createFaultQueue(
  profile: readonly Fault[],
  seed: number,
  onAdded: (fault: QueuedFault) => void,
): FaultQueue {
  let entries: Entry[] = [];
  let done: QueuedFault[] = [];
  let given = 0;
  const counts = new Map<string, number>();
  const add = (faults: readonly Fault[], ofProfile: boolean): Entry[] => {
    const added = faults.map((fault) => {
      given += 1;
      return { number: given, fault, ofProfile, seen: 0, struck: 0 };
    });
    const isLasting = ({ fault }: Entry) => fault.times === 'always';
    entries = [...entries, ...added].sort((a, b) => Number(isLasting(a)) - Number(isLasting(b)));
    return added;
  };
  const reset = (): void => {
    [entries, done, given] = [[], [], 0];
    counts.clear();
    add(profile, true);
  };
  const neverMet = () =>
    entries
      .filter(({ ofProfile, struck, fault }) => !ofProfile && struck === 0 && (fault.probability ?? 1) === 1)
      .map(queuedOf);
  reset();
  return {
    neverMet,
    verify() {
      const never = neverMet();
      if (never.length > 0) throw new Error(neverMetMessage(never));
    },
    add(...faults) {
      if (faults.length === 0) throw new RangeError('The queue: expected at least one fault.');
      for (const fault of faults) requireFault(fault);
      if (entries.length + faults.length > mostFaults) {
        throw new RangeError(`The queue takes at most ${mostFaults} faults; it has ${entries.length}.`);
      }
      const added = add(faults, false);
      for (const entry of added) onAdded(queuedOf(entry));
      return added.map(({ number }) => number);
    },
    unmet: () => entries.map(queuedOf),
    met: () => [...done],
    clear() {
      [entries, done] = [[], []];
    },
    reset,
    take(aim) {
      if (entries.length === 0) return undefined;
      const count = counts.get(aim.tool) ?? 0;
      counts.set(aim.tool, count + 1);
      const matching = entries.filter(({ fault }) => meets(fault, aim));
      for (const entry of matching) entry.seen += 1;
      const random = ({ number }: Entry, purpose: string) =>
        seededNumber(seed, 'fault', String(number), aim.tool, String(count), purpose);
      const entry = matching.find((entry) => {
        const { after = 0, probability = 1 } = entry.fault;
        return entry.seen > after && (probability === 1 || random(entry, 'probability') < probability);
      });
      if (entry === undefined) return undefined;
      entry.struck += 1;
      if (entry.fault.times !== 'always' && entry.struck === (entry.fault.times ?? 1)) {
        entries = entries.filter((other) => other !== entry);
      }
      const { left: _, ...fault } = queuedOf(entry);
      return { fault, latencyMs: latencyOf(fault, (purpose) => random(entry, purpose)) };
    },
    settle(fault, metBy) {
      done.push({ ...fault, metBy });
      if (done.length > mostFaults) done.shift();
    },
  };
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

import { type Aim, type Fault, meets, requireFault } from './fault.ts';

/** A fault with its number and the sequence number of the event that it matched. */
export interface QueuedFault extends Fault {
  readonly fault: number;
  /** Number of remaining matches, if more than one. */
  readonly left?: number;
  readonly metBy: number | null;
}

/** Faults of one sandbox. Each applies to the first matching request, or to the first `times` of them. */
export interface Faults {
  /**
   * Queues faults in order and returns their numbers. Throws a RangeError for too many faults or an invalid fault. On
   * error, it queues none.
   */
  readonly add: (...faults: readonly Fault[]) => number[];
  /** Faults that still wait for a request. */
  readonly unmet: () => readonly QueuedFault[];
  /** Faults that matched no request at all, except those with a probability below 1. */
  readonly neverMet: () => readonly QueuedFault[];
  /** Throws an Error that lists the faults of `neverMet`, because a test of such a fault tested nothing. */
  readonly verify: () => void;
  /** The latest faults that matched a request. */
  readonly met: () => readonly QueuedFault[];
  /** Deletes all faults. */
  readonly clear: () => void;
}

export interface FaultQueue extends Faults {
  /** Whether any fault is queued. Checked first, so that requests without faults stay fast. */
  readonly armed: () => boolean;
  readonly take: (aim: Aim) => QueuedFault | undefined;
  /** Records the event that a taken fault matched. */
  readonly settle: (fault: QueuedFault, metBy: number) => void;
}

/** Maximum number of queued faults, and of matched faults that are kept. */
export const mostFaults = 1000;

export function neverMetMessage(faults: readonly QueuedFault[]): string {
  const told = faults.map(({ fault, metBy: _, left: _left, ...what }) => `${fault} ${JSON.stringify(what)}`);
  return `No request met ${told.length === 1 ? 'the fault' : 'the faults'} ${told.join(', ')}.`;
}

/** `random` returns numbers from 0 to 1 (exclusive). */
export function createFaultQueue(onAdded: (fault: QueuedFault) => void, random: () => number): FaultQueue {
  let waiting: QueuedFault[] = [];
  let done: QueuedFault[] = [];
  let given = 0;
  const isStruck = ({ probability = 1 }: Fault): boolean => probability === 1 || random() < probability;
  // A fault with a probability below 1 may never apply. A repeated fault counts as matched after its first match.
  const neverMet = () =>
    waiting.filter(({ times = 1, left = 1, probability = 1 }) => probability === 1 && (times === 1 || left === times));
  return {
    neverMet,
    verify() {
      const never = neverMet();
      if (never.length > 0) throw new Error(neverMetMessage(never));
    },
    add(...faults) {
      if (faults.length === 0) throw new RangeError('The queue: expected at least one fault.');
      for (const fault of faults) requireFault(fault);
      if (waiting.length + faults.length > mostFaults) {
        throw new RangeError(`The queue takes at most ${mostFaults} faults; it has ${waiting.length}.`);
      }
      const queued = faults.map((fault) => {
        given += 1;
        const { times = 1 } = fault;
        return { ...fault, fault: given, metBy: null, ...(times === 1 ? {} : { left: times }) };
      });
      waiting.push(...queued);
      for (const fault of queued) onAdded(fault);
      return queued.map(({ fault }) => fault);
    },
    unmet: () => [...waiting],
    met: () => [...done],
    clear() {
      waiting = [];
      done = [];
    },
    armed: () => waiting.length > 0,
    take(aim) {
      const found = waiting.find((fault) => meets(fault, aim) && isStruck(fault));
      if (found === undefined) return undefined;
      const { left = 1, ...fault } = found;
      const rest = left > 1 ? [{ ...fault, ...(left > 2 ? { left: left - 1 } : {}) }] : [];
      waiting.splice(waiting.indexOf(found), 1, ...rest);
      return fault;
    },
    settle(fault, metBy) {
      done.push({ ...fault, metBy });
      if (done.length > mostFaults) done.shift();
    },
  };
}

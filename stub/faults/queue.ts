import { type Aim, type Fault, meets, requireFault } from './fault.ts';

/** A fault with its number, and the number of the event in the journal that met it. */
export interface QueuedFault extends Fault {
  readonly fault: number;
  /** How many requests are still to meet it, where that is more than one. */
  readonly left?: number;
  readonly metBy: number | null;
}

/** Faults of one world, each met by one call, or by as many as it says: the first ones that it fits. */
export interface Faults {
  /**
   * Queues faults, in the order in which they are to be met; gives their numbers. Throws a RangeError for too many, and
   * for one that cannot be; then none is queued.
   */
  readonly add: (...faults: readonly Fault[]) => number[];
  /** Those that no call has met yet. */
  readonly unmet: () => readonly QueuedFault[];
  /** Those that no call has met at all, though each that fits meets them. */
  readonly neverMet: () => readonly QueuedFault[];
  /** Throws an Error that names the faults that no call has met at all: a test of them tested nothing. */
  readonly verify: () => void;
  /** Those that were met, the latest of them. */
  readonly met: () => readonly QueuedFault[];
  /** Forgets all of them. */
  readonly clear: () => void;
}

export interface FaultQueue extends Faults {
  /** Whether there is any to be met: so that calls need not ask. */
  readonly armed: () => boolean;
  readonly take: (aim: Aim) => QueuedFault | undefined;
  /** Says which event met a fault that was taken. */
  readonly settle: (fault: QueuedFault, metBy: number) => void;
}

/** Most that wait, and most that are remembered once they were met. */
export const mostFaults = 1000;

export function neverMetMessage(faults: readonly QueuedFault[]): string {
  const told = faults.map(({ fault, metBy: _, left: _left, ...what }) => `${fault} ${JSON.stringify(what)}`);
  return `No request met ${told.length === 1 ? 'the fault' : 'the faults'} ${told.join(', ')}.`;
}

/** `random` gives numbers from 0 to 1. */
export function createFaultQueue(onAdded: (fault: QueuedFault) => void, random: () => number): FaultQueue {
  let waiting: QueuedFault[] = [];
  let done: QueuedFault[] = [];
  let given = 0;
  const isStruck = ({ probability = 1 }: Fault): boolean => probability === 1 || random() < probability;
  // One that strikes by chance may miss; of several times, the first counts.
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

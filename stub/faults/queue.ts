import { type Aim, type Fault, meets, requireFault } from './fault.ts';

/** A fault with its number, and the number of the event in the journal that met it. */
export interface QueuedFault extends Fault {
  readonly fault: number;
  readonly metBy: number | null;
}

/** Faults of one world, each met by one call: the first one that it fits. */
export interface Faults {
  /** Queues faults, in the order in which they are to be met; gives their numbers. Throws a RangeError for too many, and for one that cannot be; then none is queued. */
  readonly add: (...faults: readonly Fault[]) => number[];
  /** Those that no call has met yet. */
  readonly unmet: () => readonly QueuedFault[];
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

export function createFaultQueue(onAdded: (fault: QueuedFault) => void): FaultQueue {
  let waiting: QueuedFault[] = [];
  let done: QueuedFault[] = [];
  let given = 0;
  return {
    add(...faults) {
      for (const fault of faults) requireFault(fault);
      if (waiting.length + faults.length > mostFaults) {
        throw new RangeError(`The queue takes at most ${mostFaults} faults; it has ${waiting.length}.`);
      }
      const queued = faults.map((fault) => {
        given += 1;
        return { ...fault, fault: given, metBy: null };
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
      const index = waiting.findIndex((fault) => meets(fault, aim));
      return index === -1 ? undefined : waiting.splice(index, 1)[0];
    },
    settle(fault, metBy) {
      done.push({ ...fault, metBy });
      if (done.length > mostFaults) done.shift();
    },
  };
}

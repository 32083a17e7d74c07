import { z } from 'zod';
import { roles } from '../../fixtures/roles.ts';
import { mostFaults } from '../faults/queue.ts';

const whole = (from: number, to: number) => {
  const message = `expected an integer from ${from} to ${to}`;
  return z.int(message).min(from, message).max(to, message);
};

export const advanceShape = z.strictObject({ seconds: z.number('expected a number called seconds') });

export const clockShape = z.strictObject({
  /** Moves the clock. */
  seconds: z.number().optional(),
  frozen: z.boolean().optional(),
});

/** What may be asked of a world is told where worlds are minted. */
export const mintShape = z.looseObject({});

/** One fault or several, each as often as `times` says. What else a fault may have is told where faults are queued. */
export const faultsShape = z.strictObject({
  faults: z.array(z.looseObject({ times: whole(1, mostFaults).optional() })).min(1),
});

/** Whose switches: what they may be is told where they are thrown. */
export const switchesShape = z.looseObject({ role: z.enum(roles) });

/** What a person says: of the proposal, or of the workspace, that is the subject. */
export const personShape = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: z.string().min(1) });

export const restoreShape = z.strictObject({ snapshot: z.string() });

export const nothingShape = z.strictObject({});

import { z } from 'zod';
import { roles } from '../../fixtures/roles.ts';

export const advanceShape = z.strictObject({ seconds: z.number('expected a number called seconds') });

export const clockShape = z.strictObject({
  /** Moves the clock. */
  seconds: z.number().optional(),
  frozen: z.boolean().optional(),
});

/** What may be asked of a world is told where worlds are minted. */
export const mintShape = z.looseObject({});

/** One fault or several. What a fault may have is told where faults are queued. */
export const faultsShape = z.strictObject({ faults: z.array(z.looseObject({})).min(1) });

/** Whose switches: what they may be is told where they are thrown. */
export const switchesShape = z.looseObject({ role: z.enum(roles) });

/** What a person says: of the proposal, or of the workspace, that is the subject. */
export const personShape = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: z.string().min(1) });

export const restoreShape = z.strictObject({ snapshot: z.string() });

export const nothingShape = z.strictObject({});

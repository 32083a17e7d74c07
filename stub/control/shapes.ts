import { z } from 'zod';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { roles } from '../../fixtures/roles.ts';
import { largestSize } from '../../fixtures/world/workspace.ts';
import { mostFaults } from '../faults/queue.ts';

const whole = (from: number, to: number) => {
  const message = `expected a whole number from ${from} to ${to}`;
  return z.int(message).min(from, message).max(to, message);
};
const role = z.enum(roles);

export const advanceShape = z.strictObject({ seconds: z.number('expected a number called seconds') });

export const clockShape = z.strictObject({
  /** Moves the clock. */
  seconds: z.number().optional(),
  frozen: z.boolean().optional(),
});

export const mintShape = z.strictObject({
  seed: whole(0, 2 ** 32 - 1).optional(),
  size: whole(0, largestSize).optional(),
  rateCap: whole(1, 1_000_000).optional(),
  dialects: z.array(z.string()).optional(),
  hostile: z.boolean().optional(),
  defects: z.array(z.string()).optional(),
});

const fault = z.strictObject({
  tool: z.enum(toolNames).optional(),
  role: role.optional(),
  confirming: z.boolean().optional(),
  status: whole(200, 599).optional(),
  code: z.string().min(1).optional(),
  message: z.string().optional(),
  retryAfterSeconds: whole(1, 86_400).optional(),
  latencyMs: whole(0, 600_000).optional(),
  drop: z.enum(['before', 'after']).optional(),
  cutAtBytes: whole(0, 1_000_000).optional(),
});

/** One fault or several, each as often as `times` says. */
export const faultsShape = z.strictObject({
  faults: z.array(fault.extend({ times: whole(1, mostFaults).optional() })).min(1),
});

export const switchesShape = z.strictObject({
  role,
  key: z.enum(['live', 'revoked', 'expired']).optional(),
  capability: z.boolean().optional(),
  cap: whole(0, 1_000_000).optional(),
  pin: z.string().nullable().optional(),
  storedDefault: z.string().nullable().optional(),
  accountSwitch: z.boolean().optional(),
  platformSwitch: z.boolean().optional(),
  balance: z.number().min(0).optional(),
});

/** What a person says: of the proposal, or of the workspace, that is the subject. */
export const personShape = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: z.string().min(1) });

export const restoreShape = z.strictObject({ snapshot: z.string() });

export const nothingShape = z.strictObject({});

import { z } from 'zod';
import { roles } from '../../fixtures/roles.ts';
import { faultMembers } from '../faults/fault.ts';
import { type Member, schemaOf } from '../worlds/members.ts';
import { requestMembers } from '../worlds/minting.ts';
import { switchMembers } from '../worlds/switches.ts';
import { worldMembers } from '../worlds/worlds.ts';

/** Schema that only describes its members. `requireMembers` validates them later. */
const withMembers = (members: Readonly<Record<string, Member>>) => z.looseObject({}).meta(schemaOf(members));

export const clockShape = z.strictObject({
  /** Seconds to advance the clock by; excludes `time`. */
  seconds: z.number().optional(),
  time: z.string().meta({ format: 'date-time' }).optional(),
  frozen: z.boolean().optional(),
});

export const mintShape = withMembers(requestMembers);

export const faultsShape = z.strictObject({ faults: z.array(withMembers(faultMembers)).min(1) });

export const profileShape = z.strictObject({ profile: z.unknown().meta(worldMembers.profile[2]) });

const switchesSchema = schemaOf({
  role: [() => true, '', { type: 'string', enum: [...roles] }],
  ...switchMembers,
});
export const switchesShape = z.looseObject({ role: z.enum(roles) }).meta({ ...switchesSchema, required: ['role'] });

/** A decision of the person. `subject` is a confirmation ID or a workspace. */
export const personShape = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: z.string().min(1) });

export const nothingShape = z.strictObject({});

import { z } from 'zod';
import { roles } from '../../fixtures/roles.ts';
import { faultMembers } from '../faults/fault.ts';
import { type Member, schemaOf } from '../worlds/members.ts';
import { requestMembers } from '../worlds/minting.ts';
import { switchMembers } from '../worlds/switches.ts';

/** An object whose members are checked, and told about, where they are used. */
const withMembers = (members: Readonly<Record<string, Member>>) => z.looseObject({}).meta(schemaOf(members));

export const advanceShape = z.strictObject({ seconds: z.number('expected a number called seconds') });

export const clockShape = z.strictObject({
  /** Moves the clock by so many seconds, or to a time. */
  seconds: z.number().optional(),
  time: z.string().meta({ format: 'date-time' }).optional(),
  frozen: z.boolean().optional(),
});

export const mintShape = withMembers(requestMembers);

export const faultsShape = z.strictObject({ faults: z.array(withMembers(faultMembers)).min(1) });

const switchesSchema = schemaOf({
  role: [() => true, '', { type: 'string', enum: [...roles] }],
  ...switchMembers,
});
export const switchesShape = z.looseObject({ role: z.enum(roles) }).meta({ ...switchesSchema, required: ['role'] });

/** What a person says: of the proposal, or of the workspace, that is the subject. */
export const personShape = z.strictObject({ act: z.enum(['approve', 'deny', 'pick']), subject: z.string().min(1) });

export const restoreShape = z.strictObject({ snapshot: z.string() });

export const nothingShape = z.strictObject({});

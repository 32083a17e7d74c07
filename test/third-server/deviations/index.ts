import { createHash } from 'node:crypto';
import { type Deviation, type DeviationClass, deviationClasses } from '../deviation.ts';
import { byAge } from './ages.ts';
import { byBody } from './bodies.ts';
import { byCredential } from './credentials.ts';
import { byExecution } from './execute.ts';
import { furtherAges, furtherExecutions, furtherParallel } from './further-ages.ts';
import { furtherBodies, furtherCredentials } from './further-requests.ts';
import { furtherRepetitions, furtherRoles, furtherWorkspaces } from './further-states.ts';
import { furtherPairs, furtherValues } from './further-values.ts';
import { atLimits } from './limits.ts';
import { byName } from './names.ts';
import { inParallel } from './parallel.ts';
import { byOtherValue } from './read-values.ts';
import { byRepetition } from './repetition.ts';
import { byRole } from './roles.ts';
import { byTwoFaults } from './two-faults.ts';
import { byValue } from './values.ts';
import { byWorkspace } from './workspaces.ts';

const byClass: Readonly<Record<DeviationClass, readonly Deviation[]>> = {
  roles: [...byRole, ...furtherRoles],
  workspaces: [...byWorkspace, ...furtherWorkspaces],
  repetition: [...byRepetition, ...furtherRepetitions],
  names: byName,
  credentials: [...byCredential, ...furtherCredentials],
  bodies: [...byBody, ...furtherBodies],
  values: [...byValue, ...byOtherValue, ...furtherValues],
  'two-faults': [...byTwoFaults, ...furtherPairs],
  ages: [...byAge, ...atLimits, ...furtherAges],
  execute: [...byExecution, ...furtherExecutions],
  parallel: [...inParallel, ...furtherParallel],
};

/** All deviations, ordered by class. */
export const deviations = deviationClasses.flatMap((name) => byClass[name].map((one) => ({ class: name, ...one })));

/**
 * Returns whether a deviation belongs to the held-out set, which is one third of all, chosen by ID. Its members are not
 * inspected one by one while the kit is changed.
 */
export function keptAside(id: string): boolean {
  return createHash('sha256').update(id).digest().readUInt32BE() % 3 === 0;
}

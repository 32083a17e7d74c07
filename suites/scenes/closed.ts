import type { Role } from '../../fixtures/roles.ts';
import type { Context } from '../engine/context.ts';

/** Roles whose keys are good but whose surface is closed. */
export const closedRoleNames = [
  'withoutAccess',
  'accountSwitchOff',
  'platformSwitchOff',
] as const satisfies readonly Role[];

/** Those of them that have a key; ends the check as not tested where none has. */
export function closedRoles(t: Context): (typeof closedRoleNames)[number][] {
  const present = closedRoleNames.filter((role) => t.has(role));
  if (present.length > 0) return present;
  return t.lacksKeyOf('no key whose surface is closed', ...closedRoleNames);
}

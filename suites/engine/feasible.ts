import { type Check, type Setting, settings } from '../check.ts';
import type { Missing } from '../result.ts';
import type { Target } from '../target.ts';
import type { Ground } from './ground.ts';

/** Everything that a check, or an observation, lacks on this deployment; empty where it can run. */
export function missingFor(check: Pick<Check, 'needs'>, target: Target, ground: Ground): Missing[] {
  const { roles, effects, settings: known, time } = check.needs;
  const timeless = time && target.clock === undefined && !target.allow.includes('waiting');
  return [
    ...roles.filter((role) => target.keys[role] === undefined).map((role): Missing => ({ kind: 'role', role })),
    ...effects
      .filter((effect) => !target.allow.includes(effect))
      .map((effect): Missing => ({ kind: 'effect', effect })),
    ...known
      .filter((setting) => unknown(setting, ground))
      .map((setting): Missing => ({ kind: 'setting', setting: settings[setting] })),
    ...(timeless ? [{ kind: 'clock' } satisfies Missing] : []),
  ];
}

/** Boards that share an id across workspaces, or slugs across accounts, cannot show that a call used the wrong one. */
function unknown(setting: Setting, ground: Ground): boolean {
  const value = ground[setting];
  const known = [ground.workspace, ground.otherWorkspace];
  if (setting === 'otherAccountWorkspace' && known.includes(value)) return true;
  return value === undefined || (setting === 'otherBoard' && value === ground.board);
}

/** In words, for people. */
export function describeMissing(missing: readonly Missing[]): string {
  return missing.map(describeOne).join('; ');
}

function describeOne(missing: Missing): string {
  switch (missing.kind) {
    case 'role':
      return `no key for the role '${missing.role}'`;
    case 'effect':
      return `the effect '${missing.effect}' is not allowed`;
    case 'clock':
      return "no clock that can be moved, and the effect 'waiting' is not allowed";
    case 'option':
      return `not asked for: ${missing.option}`;
    case 'setting':
      return `not configured: ${missing.setting}`;
    case 'data':
      return `the deployment shows none: ${missing.what}`;
    case 'limit':
      return `the kit limits itself: ${missing.what}`;
    case 'selection':
      return 'not selected';
  }
}

import type { Flow } from '../flows/flow.ts';
import { type Setting, settings } from '../flows/needs.ts';
import type { Missing } from '../result.ts';
import type { Target } from '../target.ts';
import type { Ground } from './ground.ts';

/** Everything that a flow lacks on this deployment; empty where it can run. */
export function missingFor({ needs }: Pick<Flow, 'needs'>, target: Target, ground: Ground): Missing[] {
  const { roles, effects, settings: known, time } = needs;
  const timeless = time && target.clock === undefined && !target.allow.includes('waiting');
  return [
    ...roles.filter((role) => target.keys[role] === undefined).map((role): Missing => ({ kind: 'role', role })),
    ...effects
      .filter((effect) => !target.allow.includes(effect))
      .map((effect): Missing => ({ kind: 'effect', effect })),
    ...known.flatMap((setting) => lackOfSetting(setting, target, ground) ?? []),
    ...(timeless ? [{ kind: 'clock' } satisfies Missing] : []),
  ];
}

/**
 * What is missing as far as the configuration has it not: nothing is suggested that is there. A setting that is there
 * and cannot be used says why.
 */
export function stillMissing(missing: Missing, target: Target, ground: Ground): Missing | undefined {
  if (missing.kind === 'role') return target.keys[missing.role] === undefined ? missing : undefined;
  if (missing.kind !== 'setting') return missing;
  const name = settingNames.find((each) => settings[each] === missing.setting);
  return name === undefined ? missing : lackOfSetting(name, target, ground);
}

// Object.keys widens the names to string.
const settingNames = Object.keys(settings) as Setting[];

/** Why a setting is of no use to a flow; undefined where it is. */
function lackOfSetting(name: Setting, { workspaces, keys }: Target, ground: Ground): Missing | undefined {
  const value = ground[name];
  const setting = settings[name];
  const unusable = (why: string): Missing => ({ kind: 'unusable', why: `${setting} is configured, but ${why}` });
  // Boards that share an id across workspaces, or slugs across accounts, cannot show that the wrong one was used.
  if (value !== undefined && name === 'otherBoard' && value === ground.board) {
    return unusable('it has the same id as workspaces[0].board');
  }
  const ownSlugs = [ground.workspace, ground.otherWorkspace];
  if (value !== undefined && name === 'otherAccountWorkspace' && ownSlugs.includes(value)) {
    return unusable("a workspace of 'primary' has the same slug");
  }
  if (value !== undefined) return undefined;
  const [first, second] = workspaces;
  const configured: Readonly<Record<Setting, string | undefined>> = {
    workspace: first?.slug,
    board: first?.board,
    otherWorkspace: second?.slug,
    otherBoard: second?.board,
    otherAccountWorkspace: keys.otherAccount?.workspace,
    otherAccountBoard: keys.otherAccount?.board,
  };
  return configured[name] === undefined ? { kind: 'setting', setting } : unusable("'primary' does not work there");
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
      return `side effect '${missing.effect}' is not allowed`;
    case 'clock':
      return "no clock that can be advanced, and side effect 'waiting' is not allowed";
    case 'option':
      return `option not given: ${missing.option}`;
    case 'setting':
      return `not configured: ${missing.setting}`;
    case 'data':
      return `the deployment does not show ${missing.what}`;
    case 'limit':
      return `the kit limits itself to ${missing.what}`;
    case 'unusable':
      return missing.why;
    case 'selection':
      return 'not selected';
    case 'interruption':
      return 'the run ended before it was tested';
  }
}

import type { Missing } from '../result.ts';
import type { Target } from '../target/target.ts';
import type { Deployment } from '../topics/deployment.ts';
import { type Setting, settings } from '../topics/needs.ts';
import type { Story } from '../topics/story.ts';

/** Returns everything that a story lacks on this deployment; empty if the story can run. */
export function missingFor({ needs }: Pick<Story, 'needs'>, target: Target, deployment: Deployment): Missing[] {
  const { roles, effects, settings: known, time } = needs;
  const timeless = time && target.clock === undefined && !target.allow.includes('waiting');
  return [
    ...roles.filter((role) => target.keys[role] === undefined).map((role): Missing => ({ kind: 'role', role })),
    ...effects
      .filter((effect) => !target.allow.includes(effect))
      .map((effect): Missing => ({ kind: 'effect', effect })),
    ...known.flatMap((setting) => lackOfSetting(setting, target, deployment) ?? []),
    ...(timeless ? [{ kind: 'clock' } satisfies Missing] : []),
  ];
}

/**
 * Returns the gap that remains with this configuration, so that reports never suggest an existing setting. If an
 * existing setting is unusable, the gap says why.
 */
export function stillMissing(missing: Missing, target: Target, deployment: Deployment): Missing | undefined {
  if (missing.kind === 'role') return target.keys[missing.role] === undefined ? missing : undefined;
  if (missing.kind !== 'setting') return missing;
  const name = settingNames.find((settingName) => settings[settingName] === missing.setting);
  return name === undefined ? missing : lackOfSetting(name, target, deployment);
}

// `Object.keys` widens the names to `string`.
const settingNames = Object.keys(settings) as Setting[];

/** Returns why a story cannot use a setting; undefined if it can. */
function lackOfSetting(name: Setting, { workspaces, keys }: Target, deployment: Deployment): Missing | undefined {
  const value = deployment[name];
  const setting = settings[name];
  const unusable = (why: string): Missing => ({ kind: 'unusable', why: `${setting} is configured, but ${why}` });
  // Board IDs shared by workspaces, or slugs shared by accounts, cannot show that the server used the wrong one.
  if (value !== undefined && name === 'otherBoard' && value === deployment.board) {
    return unusable('it has the same ID as workspaces[0].board');
  }
  const ownSlugs = [deployment.workspace, deployment.otherWorkspace];
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

const inWords: { readonly [Kind in Missing['kind']]: (missing: Extract<Missing, { kind: Kind }>) => string } = {
  role: ({ role }) => `no key for the role '${role}'`,
  effect: ({ effect }) => `side effect '${effect}' is not allowed`,
  clock: () => "no clock that can be advanced, and side effect 'waiting' is not allowed",
  option: ({ option }) => `option not given: ${option}`,
  setting: ({ setting }) => `not configured: ${setting}`,
  data: ({ what }) => `the deployment does not show ${what}`,
  refusal: ({ code }) => `the service did not refuse with ${code}, a rule of its own`,
  limit: ({ what }) => `the kit limits itself to ${what}`,
  unusable: ({ why }) => why,
  selection: () => 'not selected',
  interruption: () => 'the run ended before it was tested',
};

export function describeMissing(missing: readonly Missing[]): string {
  // TypeScript does not see that the function belongs to the kind.
  return missing.map((one) => (inWords[one.kind] as (one: Missing) => string)(one)).join('; ');
}

import { type Role, roleEnv, roleMeanings, roles } from '../fixtures/roles.ts';
import { type Effect, effectMeanings, effects } from '../fixtures/side-effects.ts';
import type { CheckResult, Missing, RequirementResult, RunResult } from '../suites/result.ts';
import { byTopic } from './findings.ts';

/** One thing that was lacking, and what would supply it. */
export interface Gap {
  /** Completes "not tested because". */
  why: string;
  /** The option or key that would change that; null where nothing is known. */
  remedy: string | null;
  /** Ids of the requirements that lacked it, in the reader's order. A requirement that lacked two things is in two gaps. */
  requirements: string[];
}

/** What was not tested, by what was lacking; what stands in the way of most requirements first. */
export function gaps(result: RunResult): Gap[] {
  const found = new Map<string, Gap>();
  for (const requirement of result.requirements.toSorted(byTopic)) {
    if (requirement.status !== 'not-tested') continue;
    for (const lack of lacksOf(requirement, result)) {
      const gap = found.get(lack.why) ?? { ...lack, requirements: [] };
      if (!gap.requirements.includes(requirement.id)) gap.requirements.push(requirement.id);
      found.set(lack.why, gap);
    }
  }
  return [...found.values()].sort((a, b) => b.requirements.length - a.requirements.length);
}

/** Everything that would make the run complete, as few options and keys as possible; empty where nothing is known. */
export function completing(result: RunResult): string[] {
  const missing = result.requirements
    .filter(({ status }) => status === 'not-tested')
    .flatMap(({ checks }) => checks.filter(({ status }) => status === 'not-tested'))
    .flatMap((check) => check.missing ?? []);
  const wanted = missing.flatMap((one) => (one.kind === 'effect' ? [one.effect] : []));
  const lackingRoles = roles.filter((role) => missing.some((one) => one.kind === 'role' && one.role === role));
  const settings = missing.flatMap((one) => (one.kind === 'setting' ? [one.setting] : []));
  const plainSettings = settings.filter((setting) => settingAdjectives[setting] === undefined);
  const others = missing
    .filter(({ kind }) => kind !== 'effect' && kind !== 'clock')
    .filter((one) => !(one.kind === 'role' || (one.kind === 'setting' && plainSettings.includes(one.setting))));
  return [
    ...(wanted.length > 0 ? [allowOption([...result.target.allow, ...wanted])] : []),
    ...(missing.some(({ kind }) => kind === 'clock')
      ? ['clock.advance in the configuration, or the effect waiting']
      : []),
    ...(lackingRoles.length > 0 ? [keysOf(lackingRoles)] : []),
    ...(plainSettings.length > 0 ? [`${[...new Set(plainSettings)].sort().join(', ')} in the configuration`] : []),
    ...new Set(others.map((one) => lackOf(one, result).remedy ?? '')),
  ];
}

function keysOf([first, ...others]: readonly Role[]): string {
  if (first === undefined) return '';
  const places = `${roleEnv(first)} in the environment, or keys.${first} in the configuration`;
  return others.length === 0 ? places : `a key for each of ${[first, ...others].join(', ')} (${places}, and so on)`;
}

export type Lack = Omit<Gap, 'requirements'>;

function lacksOf({ checks, reason }: RequirementResult, result: RunResult): Lack[] {
  const idle = checks.filter(({ status }) => status === 'not-tested');
  const lacks = idle.flatMap((check) =>
    (check.missing ?? []).map((one) => ({ ...lackOf(one, result), ...ownWords(check) })),
  );
  if (lacks.length > 0) return lacks;
  const why = idle.find((check) => check.reason !== undefined)?.reason ?? reason;
  return [{ why: why ?? 'the run does not say why', remedy: null }];
}

/** Where a check found out while it ran what it lacked, its own words say more. */
function ownWords({ missing = [], reason }: CheckResult): { why?: string } {
  const [only, ...others] = missing;
  const found =
    only?.kind === 'data' ||
    only?.kind === 'limit' ||
    (only?.kind === 'setting' && !reason?.startsWith('not configured'));
  return found && others.length === 0 && reason !== undefined && reason !== '' ? { why: reason } : {};
}

/** Settings that have a value already, which was not enough. */
const settingAdjectives: Readonly<Record<string, string>> = {
  maxImages: 'a larger ',
  'pace.maxBurst': 'a larger ',
  'pace.maxWaitSeconds': 'a larger ',
  shape: 'another ',
};

/** One thing that was lacking, in words, and what would supply it. */
export function lackOf(missing: Missing, result: Pick<RunResult, 'target' | 'interrupted'>): Lack {
  switch (missing.kind) {
    case 'effect':
      return {
        why: `the effect '${missing.effect}' is not allowed (${effectMeanings[missing.effect]})`,
        remedy: allowOption([...result.target.allow, missing.effect]),
      };
    case 'role':
      return {
        why: `there is no key in the role '${missing.role}' (${roleMeanings[missing.role]})`,
        remedy: keysOf([missing.role]),
      };
    case 'clock':
      return {
        why: 'the clock of the deployment cannot be moved',
        remedy: `clock.advance in the configuration, or ${allowOption([...result.target.allow, 'waiting'])} (up to 46 minutes)`,
      };
    case 'setting':
      return {
        why: `the configuration does not say ${missing.setting}`,
        remedy: `${settingAdjectives[missing.setting] ?? ''}${missing.setting} in the configuration`,
      };
    case 'option':
      return { why: `it takes the option ${missing.option}`, remedy: missing.option };
    case 'data':
      return {
        why: `the deployment shows no ${missing.what.replace(/^an? /, '')}`,
        remedy: `a deployment that shows ${missing.what}`,
      };
    case 'limit':
      return {
        why: `the kit limits itself to ${missing.what}`,
        remedy: `a deployment that keeps to ${missing.what}`,
      };
    case 'selection':
      return result.interrupted
        ? { why: 'the run was cut short', remedy: 'let the run end' }
        : { why: 'this run left it out', remedy: 'leave out --only, --skip and --bail' };
  }
}

/** `--allow` replaces what was allowed before: so all of it is named. */
function allowOption(allowed: readonly Effect[]): string {
  const wanted = effects.filter((effect) => allowed.includes(effect));
  return `--allow ${wanted.length === effects.length ? 'all' : wanted.join(',')}`;
}

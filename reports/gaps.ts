import { longestWaitMinutes } from '../fixtures/contract/limits.ts';
import { needs } from '../fixtures/requirements/needs.generated.ts';
import { roleEnv, roleMeanings, roles } from '../fixtures/roles.ts';
import { type Effect, effectMeanings, effects, type Need } from '../fixtures/side-effects.ts';
import { byTopic } from '../suites/causes/order.ts';
import type { Missing, RequirementResult, RunResult } from '../suites/result.ts';

/** Something to add to the command line or the configuration. */
export interface Addition {
  text: string;
  /** Meaning of the addition. Null if the text is clear without it. */
  meaning: string | null;
}

/** Untested requirements that lack the same. Each requirement occurs in one gap only. */
export interface Gap {
  missing: Missing[];
  /** What makes the requirements testable, after the additions of all earlier gaps. Empty if nothing does. */
  add: Addition[];
  /** Why the requirements were not tested, if no addition helps. */
  reason: string;
  /** IDs, in display order. */
  requirements: string[];
}

/** Untested requirements by what is missing: first by additions, the most effective first, then by other reasons. */
export function gapsOf(result: RunResult): Gap[] {
  const lacksOf = lacksOn(result);
  const untested = result.requirements
    .filter(({ status }) => status === 'not-tested')
    .toSorted(byTopic)
    .map((each): Untested => ({ ...each, lacks: keyed(lacksOf(each)) }));
  const isAddable = ({ lacks, missing = [] }: Untested) =>
    lacks.size > 0 && [...lacks.values(), ...missing].every(({ kind }) => addableKinds.includes(kind));
  const fixed = untested.filter((each) => !isAddable(each));
  const byReason = Map.groupBy(fixed, ({ reason = 'the report does not say why' }) => reason);
  const others = [...byReason].map(
    ([reason, all]): Gap => ({ missing: [], add: [], reason, requirements: idsOf(all) }),
  );
  return [
    ...additionsFor(untested.filter(isAddable), result.target.allow),
    ...others.toSorted((a, b) => b.requirements.length - a.requirements.length),
  ];
}

/** A gap in one line: what to add, otherwise why nothing helps. */
export function gapText({ add, reason, requirements: [id, ...others] }: Gap): string {
  if (add.length > 0) return add.map(({ text }) => text).join(' and ');
  return others.length === 0 ? `${id}: ${reason}` : reason;
}

/** Kinds of targets whose traffic comes from other programs. */
const ofOthers = ['recording', 'proxy'];

const addableKinds: readonly Missing['kind'][] = ['role', 'effect', 'clock', 'setting', 'option'];

/**
 * What a requirement lacks on the deployment of a run. Prefers hard prerequisites. Otherwise lists what its stories
 * lacked, which can be more than a single story needs.
 */
function lacksOn({ target, requirements }: RunResult): (one: RequirementResult) => readonly Missing[] {
  const missed = requirements.flatMap(({ missing = [] }) => missing);
  const isThere = (need: Need): boolean => {
    if (need.kind === 'role') return [need.role, ...(need.or ?? [])].some((role) => target.roles.includes(role));
    if (need.kind === 'effect') return target.allow.includes(need.effect);
    if (need.kind === 'clock') return target.clock || target.allow.includes('waiting');
    if (need.setting.startsWith('workspaces[1]') && target.workspaces.length < 2) return false;
    // For other settings, the result only records which were missing.
    return !missed.some((one) => one.kind === 'setting' && one.setting === need.setting);
  };
  // Options of a run do not control the traffic of other programs.
  const isRun = !ofOthers.includes(target.kind);
  return ({ id, missing = [] }) => {
    if (!isRun) return missing;
    const lacking = (needs[id] ?? [])
      .filter((need) => !isThere(need))
      .map((need): Missing => (need.kind === 'role' ? { kind: 'role', role: need.role } : need));
    return lacking.length > 0 ? lacking : missing;
  };
}

type Lacks = ReadonlyMap<string, Missing>;
type Untested = RequirementResult & { lacks: Lacks };

const keyed = (missing: readonly Missing[]): Lacks => new Map(missing.map((one) => [JSON.stringify(one), one]));
const idsOf = (requirements: readonly RequirementResult[]) => requirements.map(({ id }) => id);

/** Groups of additions, ordered by the most requirements for the fewest additions. */
function additionsFor(untested: readonly Untested[], allow: readonly Effect[]): Gap[] {
  const gaps: Gap[] = [];
  let [open, allowed] = [untested, allow];
  while (open.length > 0) {
    const [best] = open.map(({ lacks }) => lacks).toSorted((a, b) => reward(b, open) - reward(a, open));
    if (best === undefined) break;
    const missing = [...best.values()];
    allowed = [...allowed, ...missing.flatMap((one) => (one.kind === 'effect' ? [one.effect] : []))];
    const requirements = idsOf(open.filter(within(best)));
    gaps.push({ missing, add: additions(missing, allowed), reason: '', requirements });
    open = open
      .filter((each) => !within(best)(each))
      .map((each) => ({ ...each, lacks: new Map([...each.lacks].filter(([key]) => !best.has(key))) }));
  }
  return gaps;
}

const within =
  (added: Lacks) =>
  ({ lacks }: Untested): boolean =>
    [...lacks.keys()].every((key) => added.has(key));

const reward = (added: Lacks, open: readonly Untested[]) => open.filter(within(added)).length / added.size;

const longestWait = `up to ${longestWaitMinutes} minutes`;

/** As few options and keys as possible. `--allow` replaces the earlier value, so it lists all side effects. */
function additions(missing: readonly Missing[], allowed: readonly Effect[]): Addition[] {
  const plainly = (text: string): Addition => ({ text, meaning: null });
  const wanted = effects.filter((effect) => missing.some((one) => one.kind === 'effect' && one.effect === effect));
  const keys = roles.filter((role) => missing.some((one) => one.kind === 'role' && one.role === role));
  const settings = missing.flatMap((one) => (one.kind === 'setting' ? [one.setting] : [])).sort();
  const options = missing.flatMap((one) => (one.kind === 'option' ? [one.option] : []));
  return [
    ...(wanted.length > 0
      ? [{ text: allowOption(allowed), meaning: wanted.map((effect) => effectMeanings[effect]).join('; ') }]
      : []),
    ...keys.map((role) => ({
      text: `a key for the role '${role}' (${roleEnv(role)}, or keys.${role} in the configuration)`,
      meaning: roleMeanings[role],
    })),
    ...settings.map((setting) => plainly(`${settingAdjectives[setting] ?? ''}${setting} in the configuration`)),
    ...(missing.some(({ kind }) => kind === 'clock')
      ? [plainly(`clock.advance in the configuration, or ${allowOption([...allowed, 'waiting'])} (${longestWait})`)]
      : []),
    ...options.map(plainly),
  ];
}

/** Settings that have a value, but need another or an additional value. */
const settingAdjectives: Readonly<Record<string, string>> = {
  maxCredits: 'a larger ',
  maxImages: 'a larger ',
  'pace.maxBurst': 'a larger ',
  'pace.maxWaitSeconds': 'a larger ',
  shape: 'another ',
};

function allowOption(allowed: readonly Effect[]): string {
  const wanted = effects.filter((effect) => allowed.includes(effect));
  return `--allow ${wanted.length === effects.length ? 'all' : wanted.join(',')}`;
}

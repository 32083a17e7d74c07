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
  const untested = result.requirements.filter(({ status }) => status === 'not-tested').toSorted(byTopic);
  const lacks = lacksOn(result);
  const isAddable = (one: RequirementResult) =>
    lacks(one).length > 0 && [...lacks(one), ...(one.missing ?? [])].every(({ kind }) => addableKinds.includes(kind));
  const [addable, fixed] = [untested.filter(isAddable), untested.filter((each) => !isAddable(each))];
  let allowed: readonly Effect[] = result.target.allow;
  const steps = bundles(addable.map((each) => ({ id: each.id, lacks: keyed(lacks(each)) }))).map(
    ({ missing, requirements }): Gap => {
      allowed = [...allowed, ...missing.flatMap((one) => (one.kind === 'effect' ? [one.effect] : []))];
      return { missing, add: additions(missing, allowed), reason: '', requirements };
    },
  );
  const byReason = Map.groupBy(fixed, ({ reason }) => reason ?? 'the report does not say why');
  const others = [...byReason].map(
    ([reason, all]): Gap => ({
      missing: [],
      add: [],
      reason,
      requirements: all.map(({ id }) => id),
    }),
  );
  return [...steps, ...others.toSorted((a, b) => b.requirements.length - a.requirements.length)];
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

interface Bundle {
  missing: Missing[];
  requirements: string[];
}

/** Groups of additions, ordered by the most requirements for the fewest additions. */
function bundles(untested: readonly { id: string; lacks: Lacks }[]): Bundle[] {
  const found: Bundle[] = [];
  let open = untested;
  while (open.length > 0) {
    const [best] = open.map(({ lacks }) => lacks).toSorted((a, b) => reward(b, open) - reward(a, open));
    if (best === undefined) break;
    found.push({ missing: [...best.values()], requirements: open.filter(within(best)).map(({ id }) => id) });
    open = open
      .filter((each) => !within(best)(each))
      .map(({ id, lacks }) => ({ id, lacks: new Map([...lacks].filter(([key]) => !best.has(key))) }));
  }
  return found;
}

type Lacks = ReadonlyMap<string, Missing>;

function keyed(missing: readonly Missing[]): Lacks {
  return new Map(missing.map((one) => [JSON.stringify(one), one]));
}

function within(added: Lacks): (each: { lacks: Lacks }) => boolean {
  return ({ lacks }) => [...lacks.keys()].every((key) => added.has(key));
}

function reward(added: Lacks, open: readonly { lacks: Lacks }[]): number {
  return open.filter(within(added)).length / added.size;
}

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

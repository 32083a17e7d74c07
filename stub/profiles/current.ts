import type { Aim } from '../faults/fault.ts';
import { createPlan, type Planned } from './plan.ts';
import { type GivenProfile, type Profile, parseProfile } from './profile.ts';

/** Reads and changes the profile of one sandbox. */
export interface WorldProfile {
  /** Null without a profile. */
  readonly current: () => Profile | null;
  /** Applies a profile from the next request on. Throws a RangeError that names each invalid member. */
  readonly set: (profile: GivenProfile) => void;
  readonly clear: () => void;
}

export interface ProfileKeeper extends WorldProfile {
  /** Plans the latency, bandwidth and fault of a request. Undefined without a profile. */
  readonly next: ((aim: Aim) => Planned) | undefined;
  /** Restores the initial profile of the sandbox. */
  readonly reset: () => void;
}

export function createProfileKeeper(
  initial: Profile | undefined,
  seed: number,
  note: (what: string) => void,
): ProfileKeeper {
  let current: Profile | null = null;
  let next: ProfileKeeper['next'];
  const begin = (profile: Profile | undefined): void => {
    current = profile ?? null;
    next = profile === undefined ? undefined : createPlan(profile, seed);
  };
  begin(initial);
  return {
    current: () => current,
    get next() {
      return next;
    },
    set(given) {
      const profile = parseProfile(given);
      begin(profile);
      note(`The profile was set: ${profile.name ?? JSON.stringify(profile)}`);
    },
    clear() {
      begin(undefined);
      note('The profile was cleared.');
    },
    reset: () => begin(initial),
  };
}

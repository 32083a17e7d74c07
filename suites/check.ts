import { type RequirementId, requirements } from '../fixtures/requirements/index.ts';
import type { Role } from '../fixtures/roles.ts';
import type { Effect } from '../fixtures/side-effects.ts';
import type { Context } from './engine/context.ts';

/** What a check must know of the deployment beyond a key, in the words of the configuration file. */
export const settings = {
  workspace: 'workspaces[0]',
  board: 'workspaces[0].board',
  otherWorkspace: 'workspaces[1]',
  otherBoard: 'workspaces[1].board',
  otherAccountWorkspace: 'keys.otherAccount.workspace',
  otherAccountBoard: 'keys.otherAccount.board',
} as const;

export type Setting = keyof typeof settings;

/** What a check needs before it can say anything. */
export interface Needs {
  /** Roles whose keys it uses; `primary` unless said otherwise. */
  roles?: readonly Role[];
  effects?: readonly Effect[];
  settings?: readonly Setting[];
  /** That time can pass: a clock that can be moved, or `waiting`. */
  time?: boolean;
  /**
   * It disturbs others or is disturbed by them, and so is kept apart: where it compares balances, from all that may spend,
   * before them; where it moves the clock, from all that may change something, after them; where it presents an id that must
   * not have expired, from those that move the clock; where it exhausts a cap, from everything, last of all.
   */
  alone?: Alone | false;
}

export type Alone = 'balance' | 'unexpired' | 'cap' | 'clock';

export interface Check {
  requirement: RequirementId;
  /** What is done, in a few words. */
  title: string;
  needs: Required<Needs>;
  run(t: Context): Promise<void>;
}

/** A check of one requirement. `title` is the requirement's statement unless several checks share it. */
export function check(spec: {
  requirement: RequirementId;
  title?: string;
  needs?: Needs;
  run(t: Context): Promise<void>;
}): Check {
  const statement = requirements.find(({ id }) => id === spec.requirement)?.statement ?? spec.requirement;
  return {
    requirement: spec.requirement,
    title: spec.title ?? statement,
    needs: withDefaults(spec.needs ?? {}),
    run: spec.run,
  };
}

/** Needs with everything said that may be left out. */
export function withDefaults(needs: Needs): Required<Needs> {
  const { roles = ['primary'], effects = [], settings: known = [], time = false, alone = false } = needs;
  return { roles, effects, settings: known, time, alone };
}

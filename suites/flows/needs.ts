import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';

/** What a flow must know of the deployment beyond a key, in the words of the configuration file. */
export const settings = {
  workspace: 'workspaces[0]',
  board: 'workspaces[0].board',
  otherWorkspace: 'workspaces[1]',
  otherBoard: 'workspaces[1].board',
  otherAccountWorkspace: 'keys.otherAccount.workspace',
  otherAccountBoard: 'keys.otherAccount.board',
} as const;

export type Setting = keyof typeof settings;

/** What a flow needs before it can run. */
export interface Needs {
  /** Roles whose keys it uses; `primary` unless said otherwise. */
  readonly roles?: readonly Role[];
  readonly effects?: readonly Effect[];
  readonly settings?: readonly Setting[];
  /** That time can pass: a clock that can be moved, or `waiting`. */
  readonly time?: boolean;
}

/** Needs with everything said that may be left out. */
export function withDefaults({
  roles = ['primary'],
  effects = [],
  settings = [],
  time = false,
}: Needs): Required<Needs> {
  return { roles, effects, settings, time };
}

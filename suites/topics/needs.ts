import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';

/** Keys of the configuration file that a story may need in addition to API keys. */
export const settings = {
  workspace: 'workspaces[0]',
  board: 'workspaces[0].board',
  otherWorkspace: 'workspaces[1]',
  otherBoard: 'workspaces[1].board',
  otherAccountWorkspace: 'keys.otherAccount.workspace',
  otherAccountBoard: 'keys.otherAccount.board',
} as const;

export type Setting = keyof typeof settings;

export interface Needs {
  /** Roles whose keys the story uses; default: `primary`. */
  readonly roles?: readonly Role[];
  readonly effects?: readonly Effect[];
  readonly settings?: readonly Setting[];
  /** Whether time must pass, by a clock that the kit can advance or by the side effect `waiting`. */
  readonly time?: boolean;
}

import type { Dispatcher } from 'undici';
import type { Role } from '../fixtures/roles.ts';
import type { Effect } from '../fixtures/side-effects.ts';

/** A key, and what it is used for. */
export interface RoleKey {
  role: Role;
  key: string;
  /** Environment variable that stands for the key in curl lines, without the dollar sign. */
  variable: string;
  /** Where this key is to be used, when that is not the target's base URL; without trailing slash. */
  baseUrl?: string;
  /** A workspace of this key's own account, and a board in it, where they are not the target's. */
  workspace?: string;
  board?: string;
}

/** How hard the deployment may be worked. */
export interface Pace {
  /** Calls a minute for one key; without it only answers 429 slow the kit down. */
  requestsPerMinute?: number;
  /** Calls in flight at once. */
  concurrency: number;
  /** How long an answer may take. */
  timeoutSeconds: number;
  /** The longest `Retry-After` that is waited out. */
  maxWaitSeconds: number;
  /** The most calls made to meet the cap of the key in the role `throttled`. */
  maxBurst: number;
}

/** Paces of a target whose configuration says nothing: no rate, 16 at once. */
export const defaultPace: Readonly<Pace> = {
  concurrency: 16,
  timeoutSeconds: 10,
  maxWaitSeconds: 90,
  maxBurst: 1000,
};

/** The most images that one run may spend, unless the configuration says otherwise. */
export const defaultMaxImages = 12;

/** A deployment's clock that the kit may move; it moves confirmations and rate windows alike. */
export interface Clock {
  /** Resolves when the time has moved; rejects with an Error that says what happened when it did not. */
  advance(seconds: number, signal?: AbortSignal): Promise<void>;
}

export interface WorkspaceChoice {
  slug: string;
  /** Id of a board in it. */
  board?: string;
}

/** An extra header on every call. */
export interface ExtraHeader {
  name: string;
  value: string;
  /** Where the value is secret: the environment variable that stands for it in curl lines, without the dollar sign. */
  variable?: string;
}

/** A deployment, as far as the kit knows it. */
export interface Target {
  /** Without trailing slash; may have a path. */
  baseUrl: string;
  kind: 'url' | 'config' | 'stub' | 'image';
  keys: Partial<Record<Role, RoleKey>>;
  /** Reached by `primary`: the first is worked in, the second is "another workspace". */
  workspaces: WorkspaceChoice[];
  /** Aspect ratio to ask for; the specification shows no list of allowed ones. */
  shape?: string;
  allow: Effect[];
  /** No more images than this are confirmed in one run (sum of `count`). */
  maxImages: number;
  clock?: Clock;
  pace: Pace;
  headers: ExtraHeader[];
  /** Every value that must not appear in anything printed or written. */
  secrets: string[];
  /** For targets within this process. */
  dispatcher?: Dispatcher;
}

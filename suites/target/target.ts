import type { Dispatcher } from 'undici';
import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';

/** How a run renews a key whose command prints another key later. */
export interface KeyRenewal {
  lifetimeMs: number;
  /** Time at which the key was read, in milliseconds since 1970. */
  readAtMs: number;
  /** Runs the command again. Rejects with a UsageError. */
  read(): Promise<string>;
}

export interface RoleKey {
  role: Role;
  key: string;
  /** Environment variable for the key in `curl` commands, without the dollar sign. */
  variable: string;
  /** Base URL for this key if it differs from that of the target; without trailing slash. */
  baseUrl?: string;
  renewal?: KeyRenewal;
  /** A workspace of the key's account, and a board in it, if they differ from those of the target. */
  workspace?: string;
  board?: string;
}

/** Limits on the load that the kit puts on the deployment. */
export interface Pace {
  /** Requests per minute and key. If unset, only 429 responses slow the kit down. */
  requestsPerMinute?: number;
  /** Simultaneous requests. */
  concurrency: number;
  /** Timeout of a request. */
  timeoutSeconds: number;
  /** Longest `Retry-After` that the kit waits out. */
  maxWaitSeconds: number;
  /** Most requests to reach the rate limit of the key with the role `throttled`. */
  maxBurst: number;
}

/** Default pace: no limit per minute, 16 simultaneous requests. */
export const defaultPace: Readonly<Pace> = {
  concurrency: 16,
  timeoutSeconds: 10,
  maxWaitSeconds: 90,
  maxBurst: 1000,
};

/** Default for the most images per run. */
export const defaultMaxImages = 16;

/** Clock of the deployment, which the kit may advance. It governs both confirmations and rate limits. */
export interface Clock {
  /** Advances the clock. Rejects with an Error that says what went wrong. */
  advance(seconds: number, signal?: AbortSignal): Promise<void>;
}

export interface WorkspaceChoice {
  slug: string;
  /** ID of a board in the workspace. */
  board?: string;
  /** ID of another board in the workspace. */
  otherBoard?: string;
}

/** A header that the kit adds to every request. */
export interface ExtraHeader {
  name: string;
  value: string;
  /** Environment variable for a secret value in `curl` commands, without the dollar sign. */
  variable?: string;
}

/** Links from the report to the traces of the service. `url` contains `{traceId}`. */
export interface TraceLinks {
  url?: string;
}

/** Certificates for connections, each in PEM. */
export interface ClientTls {
  /** Certificate of the client, with `key`. */
  cert?: string;
  key?: string;
  /** Authorities to trust instead of those of Node.js. */
  ca?: string;
}

/** A deployment to test, with its keys, permissions and limits. */
export interface Target {
  /** Base URL without trailing slash; may include a path. */
  baseUrl: string;
  kind: 'url' | 'config' | 'stub' | 'image';
  keys: Partial<Record<Role, RoleKey>>;
  /** Workspaces that `primary` reaches. Requests name the first; the second is "the other workspace". */
  workspaces: WorkspaceChoice[];
  /** Aspect ratio for proposals. The specification does not list the allowed values. */
  shape?: string;
  allow: Effect[];
  /** Most images that a run confirms (sum of `count`). */
  maxImages: number;
  /** Most credits that a run spends, by the balance of `primary`. */
  maxCredits?: number;
  clock?: Clock;
  /** Address of the published specification, for links in the report. */
  documentUrl?: string;
  pace: Pace;
  headers: ExtraHeader[];
  /** The header `traceparent` of each request; false if no request has it. Default: without links. */
  trace?: false | TraceLinks;
  tls?: ClientTls;
  /** Values that must not appear in any output. */
  secrets: string[];
  /** Set for targets in this process. */
  dispatcher?: Dispatcher;
}

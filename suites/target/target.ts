import type { Dispatcher } from 'undici';
import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import { UsageError } from '../usage/usage-error.ts';

/** How a run renews a key whose command prints another key later. */
interface KeyRenewal {
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
  baseUrl?: string | undefined;
  renewal?: KeyRenewal | undefined;
  /** A workspace of the key's account, and a board in it, if they differ from those of the target. */
  workspace?: string | undefined;
  board?: string | undefined;
}

/** Limits on the load that the kit puts on the deployment. */
export interface Pace {
  /** Requests per minute and key. If unset, only 429 responses slow the kit down. */
  requestsPerMinute?: number | undefined;
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
  board?: string | undefined;
  /** ID of another board in the workspace. */
  otherBoard?: string | undefined;
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
  url?: string | undefined;
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
  workspaces: readonly WorkspaceChoice[];
  /** Aspect ratio for proposals. The specification does not list the allowed values. */
  shape?: string | undefined;
  allow: readonly Effect[];
  /** Most images that a run confirms (sum of `count`). */
  maxImages: number;
  /** Most credits that a run spends, by the balance of `primary`. */
  maxCredits?: number | undefined;
  clock?: Clock | undefined;
  /** Address of the published specification, for links in the report. */
  documentUrl?: string | undefined;
  pace: Pace;
  headers: ExtraHeader[];
  /** The header `traceparent` of each request; false if no request has it. Default: without links. */
  trace?: false | TraceLinks | undefined;
  tls?: ClientTls | undefined;
  /** Values that must not appear in any output. */
  secrets: string[];
  /** Set for targets in this process. */
  dispatcher?: Dispatcher | undefined;
}

/**
 * Normalizes a base URL, so that paths can be appended to it. `field` names its source in messages. Throws a UsageError
 * unless it is an http or https URL without credentials, query and fragment.
 */
export function parseBaseUrl(given: string, field: string): string {
  const url = URL.parse(given);
  if (url === null) throw new UsageError(`${field}: expected an http or https URL, got ${shown(given)}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${field}: expected an http or https URL, got a URL that starts with '${url.protocol}'`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${field}: expected a URL without a user name and a password; to pass a key, use keys`);
  }
  if (/[?#]/.test(given)) {
    throw new UsageError(`${field}: expected a URL without a query and without a fragment ('?', '#')`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Returns a normalized base URL. Throws a UsageError if it is invalid, or if it would expose keys. */
export function safeBaseUrl(given: string, field: string, insecure: boolean): string {
  const baseUrl = parseBaseUrl(given, field);
  assertSafeForSecrets(baseUrl, field, insecure);
  return baseUrl;
}

/** Returns whether a URL leads to this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Throws a UsageError if a secret would travel unencrypted to another machine. */
export function assertSafeForSecrets(url: string, field: string, insecure: boolean): void {
  if (insecure || url.startsWith('https:') || isLoopback(url)) return;
  throw new UsageError(
    `${field}: expected https, got ${shown(new URL(url).origin)}; ` +
      'the kit sends keys over plain HTTP only to this machine (127.0.0.1, ::1, localhost), or with --insecure',
  );
}

/** Shortens a text for a message. A text with `@` is hidden, because it may be a URL with a password. */
function shown(given: string): string {
  if (given.includes('@')) return 'a value with @, which may contain a password';
  return `'${given.length > 80 ? `${given.slice(0, 80)}…` : given}'`;
}

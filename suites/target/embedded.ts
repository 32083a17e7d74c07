import type { Dispatcher } from 'undici';
import { isRole, type Role, roleEnv } from '../../fixtures/roles.ts';
import { withoutUndefined } from '../json.ts';
import type { KnownTarget } from './load.ts';
import type { Target, WorkspaceChoice } from './target.ts';

interface EmbeddedServer {
  readonly keys: Readonly<Partial<Record<Role, string>>>;
  /** Roles that get a key. Default: all. */
  readonly roles?: readonly Role[];
  readonly workspaces: readonly WorkspaceChoice[];
  /** Workspace and board of the role `otherAccount`. */
  readonly otherAccount: { readonly slug: string; readonly board: string };
  /** Path of the base URL; may be empty. */
  readonly basePath: string;
  readonly dispatcher: Dispatcher;
  readonly advance: (seconds: number) => void;
}

/** Origin of a server without an address. The top-level domain is reserved for names that do not exist. */
const origin = 'http://stub.invalid';

/** Returns a target for a server in this process. Nothing goes over the network. */
export function embeddedTarget(server: EmbeddedServer): KnownTarget {
  const keys: Target['keys'] = {};
  for (const [role, key] of Object.entries(server.keys)) {
    if (isRole(role) && (server.roles?.includes(role) ?? true)) keys[role] = { role, key, variable: roleEnv(role) };
  }
  if (keys.otherAccount !== undefined) {
    keys.otherAccount.workspace = server.otherAccount.slug;
    keys.otherAccount.board = server.otherAccount.board;
  }
  return {
    baseUrl: `${origin}${server.basePath}`,
    kind: 'stub',
    keys,
    workspaces: server.workspaces,
    secrets: Object.values(keys).map(({ key }) => key),
    clock: { advance: async (seconds) => server.advance(seconds) },
    dispatcher: server.dispatcher,
  };
}

/**
 * Returns the embedded stub with the roles, workspaces and side effects of a target. A run against the stub sends the
 * same requests as a run against the target, if the target conforms. If time may pass at the target, the kit advances
 * the stub's clock, so nothing waits.
 */
export function rehearsalOf(target: Target, stub: KnownTarget): Target {
  const keys: Target['keys'] = {};
  for (const key of Object.values(target.keys)) {
    const own = stub.keys[key.role];
    if (own === undefined) continue;
    keys[key.role] = { ...own, workspace: key.workspace && own.workspace, board: key.board && own.board };
  }
  const timely = target.clock !== undefined || target.allow.includes('waiting');
  return {
    ...stub,
    keys,
    workspaces: stub.workspaces.slice(0, target.workspaces.length).map(({ slug, board }, index) => ({
      slug,
      board: target.workspaces[index]?.board && board,
    })),
    allow: target.allow,
    maxImages: target.maxImages,
    pace: { ...target.pace, requestsPerMinute: Number.POSITIVE_INFINITY },
    headers: [],
    clock: timely ? stub.clock : undefined,
  };
}

/** Description of a deployment for a program that may call it. */
interface DescribedDeployment {
  readonly baseUrl: string;
  readonly keys: readonly (readonly [role: Role, key: string])[];
  /** Workspace that the program works in. */
  readonly workspace: { readonly slug: string; readonly board?: string | undefined } | undefined;
  readonly shape: string | undefined;
}

export function environmentFor({ baseUrl, keys, workspace, shape }: DescribedDeployment): Record<string, string> {
  return {
    TCK_BASE_URL: baseUrl,
    ...Object.fromEntries(keys.map(([role, key]) => [roleEnv(role), key])),
    ...withoutUndefined({ TCK_WORKSPACE: workspace?.slug, TCK_BOARD: workspace?.board, TCK_SHAPE: shape }),
  };
}

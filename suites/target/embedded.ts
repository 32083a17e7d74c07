import type { Dispatcher } from 'undici';
import { isRole, type Role, roleEnv } from '../../fixtures/roles.ts';
import type { Target, WorkspaceChoice } from '../target.ts';
import type { KnownTarget } from './load.ts';

/** Properties of a server in this process that a target needs. */
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
    workspaces: [...server.workspaces],
    secrets: Object.values(keys).map(({ key }) => key),
    clock: { advance: async (seconds) => server.advance(seconds) },
    dispatcher: server.dispatcher,
  };
}

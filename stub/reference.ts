import { isRole, type Role } from '../fixtures/roles.ts';
import { createCore, type StubCore, type WorkspaceAndBoard } from './core.ts';

/** A request of a report. Secrets are redacted, so `role` replaces the key. */
export interface AskedRequest {
  readonly tool: string | null;
  /** Null if the request has no unmodified key of a role. */
  readonly role: string | null;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string | null;
  };
}

export interface ReferenceAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** Names in the deployment that differ from those of the stub. */
export interface Theirs {
  /** Without trailing slash. Only the path is used. */
  readonly baseUrl: string;
  readonly workspaces: readonly { readonly slug: string; readonly board?: string | undefined }[];
  readonly otherAccount?: { readonly workspace?: string | undefined; readonly board?: string | undefined } | undefined;
}

/** Replaces credentials that are not the key of a role. The stub does not know this key. */
const strangersKey = 'Bearer nobody-knows-this-key';

/**
 * Returns a function that shows how the stub responds to a request of a report, for comparison. Each request uses a new
 * stub. Resolves to null if the request refers to an item or a confirmation of the deployment.
 */
export function createReference(theirs: Theirs): (asked: AskedRequest) => Promise<ReferenceAnswer | null> {
  return async (asked) => {
    if (asked.tool === null || refersToTheirs(asked.request.body)) return null;
    const stub = createCore();
    const { status, headers, body } = stub.handle({
      method: asked.request.method,
      path: pathOf(asked.request.url, theirs.baseUrl),
      headers: headersFor(asked, stub),
      body: asked.request.body === null ? null : Buffer.from(translated(asked.request.body, theirs, stub), 'utf8'),
    });
    return { status, headers: Object.entries(headers), body };
  };
}

/** Replaces the key of a role by the stub's key, and other credentials by unknown ones. Adds no credentials. */
function headersFor({ role, request }: AskedRequest, stub: StubCore): Record<string, string> {
  const own: Role | undefined = role !== null && isRole(role) ? role : undefined;
  return Object.fromEntries(
    request.headers.flatMap(([name, value]): [string, string][] => {
      if (name.toLowerCase() !== 'authorization') return [[name.toLowerCase(), value]];
      if (own === undefined) return [[name, value.startsWith('Bearer ') ? strangersKey : 'Basic something']];
      return [[name, `Bearer ${stub.keys[own]}`]];
    }),
  );
}

function pathOf(url: string, baseUrl: string): string {
  const { pathname, search } = new URL(url);
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  return (pathname.startsWith(base) ? pathname.slice(base.length) : pathname) + search;
}

/** Returns whether a request uses IDs of the deployment. The stub does not know them, so its refusal would mislead. */
function refersToTheirs(body: string | null): boolean {
  const args = objectIn(body);
  return (
    args !== null && (typeof args.confirmation_id === 'string' || (args.kind !== undefined && args.id !== undefined))
  );
}

/** Replaces the workspaces and boards of the deployment by those of the stub. Keeps the bytes if nothing changes. */
function translated(body: string, theirs: Theirs, stub: StubCore): string {
  const args = objectIn(body);
  if (args === null) return body;
  const pairs: [
    theirs: { workspace?: string | undefined; board?: string | undefined } | undefined,
    ours: WorkspaceAndBoard,
  ][] = [
    ...stub.workspaces.map((ours, index): [{ workspace?: string; board?: string | undefined }, WorkspaceAndBoard] => {
      const their = theirs.workspaces[index];
      return [their === undefined ? {} : { workspace: their.slug, board: their.board }, ours];
    }),
    [theirs.otherAccount, stub.otherAccount],
  ];
  const changed = { ...args };
  for (const [their, ours] of pairs) {
    if (their?.workspace !== undefined && args.workspace === their.workspace) changed.workspace = ours.slug;
    if (their?.board !== undefined && args.board === their.board) changed.board = ours.board;
  }
  const same = changed.workspace === args.workspace && changed.board === args.board;
  return same ? body : JSON.stringify(changed);
}

function objectIn(body: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body ?? '');
    // An object that is neither null nor an array has string keys.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

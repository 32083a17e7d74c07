import { isRole, type Role } from '../fixtures/roles.ts';
import { createCore, type StubCore, type WorkspaceAndBoard } from './core.ts';

/** A request as a report tells it: without secrets, so that the role stands for the key. */
export interface AskedRequest {
  readonly tool: string | null;
  /** Null where no key of a role was sent as it is. */
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

/** The deployment's own names for what the stub calls otherwise. */
export interface Theirs {
  /** Without trailing slash; of its parts only the path matters. */
  readonly baseUrl: string;
  readonly workspaces: readonly { readonly slug: string; readonly board?: string | undefined }[];
  readonly otherAccount?: { readonly workspace?: string | undefined; readonly board?: string | undefined } | undefined;
}

/** A key that the stub does not know, for credentials that are not a role's. */
const strangersKey = 'Bearer nobody-knows-this-key';

/**
 * Answers requests of a report as the stub would, so that a reader sees a right response beside a wrong one. Every
 * question goes to a fresh stub. Null where the stub cannot know what the request is about: an item or a confirmation
 * of the deployment.
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

/** A key of a role is sent as the stub's own; what was no key of a role stays a stranger's, and no credential none. */
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

/** Ids that were given out by the deployment mean nothing to the stub, and its refusal of them would mislead. */
function refersToTheirs(body: string | null): boolean {
  const args = objectIn(body);
  return (
    args !== null && (typeof args.confirmation_id === 'string' || (args.kind !== undefined && args.id !== undefined))
  );
}

/**
 * The body with the deployment's workspaces and boards replaced by the stub's; byte for byte where there is nothing to
 * replace.
 */
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
    // What is neither null nor an array and yet an object has string keys.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import { member } from '../../json.ts';

/** Where the key of each role works when a request names no workspace, and whether it listens when one does. */
export class Places {
  readonly #own = new Map<Role, string>();
  readonly #sources = new Map<Role, unknown>();
  readonly #reached = new Map<Role, Set<string>>();
  readonly #listens = new Set<Role>();

  add(exchange: Completed): void {
    const { role, kind } = exchange.sender;
    if (role === null || kind !== 'key' || !isSuccess(exchange)) return;
    const { workspace } = body(exchange);
    if (typeof workspace !== 'string') return;
    const reached = this.#reached.get(role) ?? new Set();
    this.#reached.set(role, reached.add(workspace));
    const named = exchange.request.args?.workspace;
    if (named === undefined) {
      this.#own.set(role, workspace);
      this.#sources.set(role, member(exchange.response.json, 'working_in', 'source'));
    } else if (named === workspace && this.#own.has(role) && this.#own.get(role) !== workspace) {
      this.#listens.add(role);
    }
  }

  /** Workspaces that a role got results of. */
  reached(role: Role): ReadonlySet<string> {
    return this.#reached.get(role) ?? new Set();
  }

  /** The workspace that a role works in by itself; undefined where no response told it. */
  own(role: Role | null): string | undefined {
    return role === null ? undefined : this.#own.get(role);
  }

  /** Whether the pin of a key, rather than the argument, may decide: not once the key worked in another workspace. */
  mayBePinned(role: Role | null): boolean {
    if (role === null) return true;
    if (role === 'pinned') return true;
    if (this.#listens.has(role)) return false;
    const source = this.#sources.get(role);
    return this.#own.has(role) && (source === undefined || source === 'key-pin');
  }

  /** The workspace that a request runs in: the one that it names, or that of its key. */
  of({ sender, request }: Completed): string | undefined {
    const named = request.args?.workspace;
    return typeof named === 'string' ? named : this.own(sender.role);
  }
}

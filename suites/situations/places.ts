import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { isRole } from '../../fixtures/roles.ts';
import { body, type Completed, isRefusal, isSuccess, type KeyName } from '../history/exchange.ts';
import { member } from '../json.ts';

const mostRemembered = 1000;

/** Sources of a workspace that no pinned key reports. */
const isWithoutPin = (source: unknown) => source === 'stored-default' || source === 'sole-reachable';

/** Roles whose keys have no pin, by definition. */
const withoutPin: readonly KeyName[] = ['ambiguous', 'defaulted', 'sole'];

/** Workspaces per key: its default, those in which it works, and whether it follows the `workspace` argument. */
export class Places {
  /** Whether default workspaces stay the same during the history. */
  readonly #steady: boolean;
  readonly #own = new Map<KeyName, string>();
  /** First result of each key without a `workspace` argument. */
  readonly #first = new Map<KeyName, Completed>();
  /** Workspaces in which a role worked when they were named, by role and tool. */
  readonly #named = new Map<string, Set<string>>();
  /** Workspaces that requests of a role named. */
  readonly #asked = new Map<KeyName, Set<string>>();
  /** Workspaces in the results of each role. */
  readonly #reached = new Map<KeyName, Set<string>>();
  /** Slugs that each role received without naming a workspace. */
  readonly #told = new Map<KeyName, Set<string>>();
  /** Roles whose responses show that no pin decides. */
  readonly #unpinned = new Set<KeyName>();

  constructor(steady: boolean) {
    this.#steady = steady;
  }

  add(exchange: Completed): void {
    const { role, kind } = exchange.sender;
    if (role === null || kind !== 'key') return;
    const { workspace, workspaces } = body(exchange);
    const named = exchange.request.args?.workspace;
    if (named === undefined && isRefusal(exchange, refusalCodes.workspaceAmbiguous)) {
      this.#unpinned.add(role);
      for (const slug of Array.isArray(workspaces) ? workspaces : [])
        if (typeof slug === 'string') enter(this.#told, role, slug);
    }
    if (typeof named === 'string') enter(this.#asked, role, named);
    if (!isSuccess(exchange) || typeof workspace !== 'string') return;
    enter(this.#reached, role, workspace);
    const source = member(exchange.response.json, 'working_in', 'source');
    if (isRole(role) ? typeof source === 'string' && source !== 'key-pin' : named === undefined && isWithoutPin(source))
      this.#unpinned.add(role);
    if (named === undefined) {
      this.#own.set(role, workspace);
      if (!this.#first.has(role)) this.#first.set(role, exchange);
      enter(this.#told, role, workspace);
    } else if (named === workspace) {
      enter(this.#named, `${role} ${exchange.request.tool}`, workspace);
    }
  }

  /** Returns the default workspace of a role; undefined if no response has shown it. */
  own(role: KeyName | null): string | undefined {
    return role === null ? undefined : this.#own.get(role);
  }

  /** Returns the first result of a role without a `workspace` argument, if default workspaces stay the same. */
  firstOwn(role: KeyName | null): Completed | undefined {
    return role === null || !this.#steady ? undefined : this.#first.get(role);
  }

  /** Returns the workspace of a request: the named one, or the default workspace of its key. */
  of(exchange: Completed): string | undefined {
    const named = exchange.request.args?.workspace;
    if (typeof named === 'string') return named;
    const { workspace } = body(exchange);
    if (this.#steady) return this.own(exchange.sender.role);
    return typeof workspace === 'string' ? workspace : undefined;
  }

  /** Returns the workspaces in the results of a role. */
  reached(role: KeyName): ReadonlySet<string> {
    return this.#reached.get(role) ?? new Set();
  }

  /** Returns whether a role worked in this workspace, with any tool other than `except`. */
  reaches(role: KeyName | null, workspace: string, except?: string | null): boolean {
    if (this.own(role) === workspace) return true;
    return this.#namedBy(role).some(([name, slugs]) => name !== `${role} ${except}` && slugs.has(workspace));
  }

  /** Returns whether a request of the role named this workspace, with any outcome. */
  wasNamed(role: KeyName | null, workspace: string): boolean {
    return role !== null && this.#asked.get(role)?.has(workspace) === true;
  }

  /** Returns whether a tool worked for any key in a named workspace other than `except`. */
  worksNamed(tool: string | null, except?: unknown): boolean {
    return [...this.#named].some(
      ([name, slugs]) => name.endsWith(` ${tool}`) && [...slugs].some((slug) => slug !== except),
    );
  }

  /** Returns whether the role received this slug without naming a workspace. */
  isTold(role: KeyName | null, workspace: string): boolean {
    return role !== null && this.#told.get(role)?.has(workspace) === true;
  }

  /** Returns whether a pin of the key may override the `workspace` argument. */
  mayStay(role: KeyName | null, tool: string | null): boolean {
    if (role === null) return true;
    if (withoutPin.includes(role)) return false;
    const own = this.own(role);
    const elsewhere = (slugs: ReadonlySet<string>) => own !== undefined && [...slugs].some((slug) => slug !== own);
    // The specification does not show how a pinned key treats the argument, so each tool may treat it differently.
    if (!isRole(role) && this.#unpinned.has(role)) return false;
    if (!this.#steady && (role === 'pinned' || !isRole(role))) return true;
    if (role === 'pinned' || !isRole(role)) return !elsewhere(this.#named.get(`${role} ${tool}`) ?? new Set());
    return (
      !this.#unpinned.has(role) && !this.#namedBy(role).some(([, slugs]) => this.#own.has(role) && elsewhere(slugs))
    );
  }

  /** Returns whether a key may be pinned. For most roles, the default workspace must be known. */
  mayBePinned(role: KeyName | null): boolean {
    if (role !== null && !isRole(role)) return this.mayStay(role, null);
    return role === null || role === 'pinned' || (this.#own.has(role) && this.mayStay(role, null));
  }

  #namedBy(role: KeyName | null): [string, Set<string>][] {
    return [...this.#named].filter(([name]) => name.startsWith(`${role} `));
  }
}

function enter<K>(sets: Map<K, Set<string>>, name: K, value: string): void {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set);
  if (set.size < mostRemembered) set.add(value);
}

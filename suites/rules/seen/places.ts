import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { isRole } from '../../../fixtures/roles.ts';
import { body, type Completed, isRefusal, isSuccess, type KeyName } from '../../history/exchange.ts';
import { member } from '../../json.ts';

const mostRemembered = 1000;

/** Ways in which a workspace is resolved that no pinned key has. */
const isWithoutPin = (source: unknown) => source === 'stored-default' || source === 'sole-reachable';

/** Roles that have no pin, by what they prove. */
const withoutPin: readonly KeyName[] = ['ambiguous', 'defaulted', 'sole'];

/** Where each key works, where it may work, and whether it listens when a request names a workspace. */
export class Places {
  /** Nobody changed meanwhile where a key works by itself. */
  readonly #steady: boolean;
  readonly #own = new Map<KeyName, string>();
  /** The first result of each key that named no workspace. */
  readonly #first = new Map<KeyName, Completed>();
  /** By role and tool: the workspaces in which it worked when they were named. */
  readonly #named = new Map<string, Set<string>>();
  /** Workspaces that requests of a role named. */
  readonly #asked = new Map<KeyName, Set<string>>();
  /** Workspaces that a role got results of. */
  readonly #reached = new Map<KeyName, Set<string>>();
  /** Slugs that a role was told without naming one. */
  readonly #told = new Map<KeyName, Set<string>>();
  /** Roles that showed that no pin decides. */
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

  /** The workspace that a role works in by itself; undefined where no response told it. */
  own(role: KeyName | null): string | undefined {
    return role === null ? undefined : this.#own.get(role);
  }

  /** The first result of a role that named no workspace, where nobody changes what decides. */
  firstOwn(role: KeyName | null): Completed | undefined {
    return role === null || !this.#steady ? undefined : this.#first.get(role);
  }

  /** The workspace that a request runs in: the one that it names, or that of its key. */
  of(exchange: Completed): string | undefined {
    const named = exchange.request.args?.workspace;
    if (typeof named === 'string') return named;
    const { workspace } = body(exchange);
    if (this.#steady) return this.own(exchange.sender.role);
    return typeof workspace === 'string' ? workspace : undefined;
  }

  /** Workspaces that a role got results of. */
  reached(role: KeyName): ReadonlySet<string> {
    return this.#reached.get(role) ?? new Set();
  }

  /** Whether the key of a role worked in this workspace, with any tool but the one that is left out. */
  reaches(role: KeyName | null, workspace: string, except?: string | null): boolean {
    if (this.own(role) === workspace) return true;
    return this.#namedBy(role).some(([name, slugs]) => name !== `${role} ${except}` && slugs.has(workspace));
  }

  /** Whether a request of the role named this workspace, whatever came of it. */
  wasNamed(role: KeyName | null, workspace: string): boolean {
    return role !== null && this.#asked.get(role)?.has(workspace) === true;
  }

  /** Whether a tool worked for any key in a workspace that was named, other than this one. */
  worksNamed(tool: string | null, except?: unknown): boolean {
    return [...this.#named].some(
      ([name, slugs]) => name.endsWith(` ${tool}`) && [...slugs].some((slug) => slug !== except),
    );
  }

  /** Whether this slug was told to the key of a role when it named none. */
  isTold(role: KeyName | null, workspace: string): boolean {
    return role !== null && this.#told.get(role)?.has(workspace) === true;
  }

  /** Whether a pin of the key, rather than the argument of a request, may decide where the tool runs. */
  mayStay(role: KeyName | null, tool: string | null): boolean {
    if (role === null) return true;
    if (withoutPin.includes(role)) return false;
    const own = this.own(role);
    const elsewhere = (slugs: ReadonlySet<string>) => own !== undefined && [...slugs].some((slug) => slug !== own);
    // What a pinned key does with an argument is not shown, and may be another thing with each tool.
    if (!isRole(role) && this.#unpinned.has(role)) return false;
    if (!this.#steady && (role === 'pinned' || !isRole(role))) return true;
    if (role === 'pinned' || !isRole(role)) return !elsewhere(this.#named.get(`${role} ${tool}`) ?? new Set());
    return (
      !this.#unpinned.has(role) && !this.#namedBy(role).some(([, slugs]) => this.#own.has(role) && elsewhere(slugs))
    );
  }

  /** Same, of a key that is known to work somewhere by itself. */
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

import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { isRole } from '../../../fixtures/roles.ts';
import {
  body,
  type Completed,
  elements,
  isRefusal,
  isSuccess,
  type KeyName,
  precedes,
} from '../../exchange/exchange.ts';
import { member } from '../../json.ts';
import { runsInWorkspace } from './scope.ts';
import { brokenFields } from './violations.ts';

const mostRemembered = 1000;

/** Why a refusal lists slugs: the workspace is ambiguous, or the named workspace is inaccessible. */
export type Listing = 'ambiguous' | 'unreachable';

/** Returns the slugs that a refusal lists. */
export function slugsIn(refusal: Completed): string[] {
  return elements(refusal, 'workspaces').filter((slug) => typeof slug === 'string');
}

/** Sources of a workspace that no pinned key reports. */
const isWithoutPin = (source: unknown) => source === 'stored-default' || source === 'sole-reachable';

/** Roles whose keys have no pin, by definition. */
const withoutPin: readonly KeyName[] = ['ambiguous', 'defaulted', 'sole'];

/** What the responses to one key show. */
class KeyPlaces {
  own: string | undefined;
  /** First result of each tool without a `workspace` argument. */
  readonly first = new Map<string | null, Completed>();
  /** Workspaces in which each tool worked when they were named. */
  readonly named = new Map<string | null, Set<string>>();
  /** Workspaces that requests named. */
  readonly asked = new Set<string>();
  /** Workspaces in results. */
  readonly reached = new Set<string>();
  /** Slugs that the key received without naming a workspace. */
  readonly told = new Set<string>();
  /** Slugs that refusals listed, each with the first such refusal. */
  readonly listed: Readonly<Record<Listing, Map<unknown, Completed>>> = {
    ambiguous: new Map(),
    unreachable: new Map(),
  };
  /** Responses show that no pin decides. */
  unpinned = false;
  /** Refusals of requests that name no workspace: for the missing choice, and for invalid arguments. */
  isAmbiguous = false;
  hasArgumentsRefused = false;
}

const unknownKey = new KeyPlaces();

/** Workspaces per key: its default, those in which it works, and whether it follows the `workspace` argument. */
export class Places {
  /** Whether default workspaces stay the same during the history. */
  readonly #steady: boolean;
  readonly #keys = new Map<KeyName, KeyPlaces>();

  constructor(steady: boolean) {
    this.#steady = steady;
  }

  add(exchange: Completed): void {
    const { role, kind } = exchange.sender;
    if (role === null || kind !== 'key') return;
    const key = this.#keys.get(role) ?? new KeyPlaces();
    this.#keys.set(role, key);
    const { workspace } = body(exchange);
    const named = exchange.request.args?.workspace;
    if (named === undefined && runsInWorkspace(exchange))
      key.hasArgumentsRefused ||=
        isRefusal(exchange, refusalCodes.invalidArguments) && brokenFields(exchange).length > 0;
    if (named === undefined && isRefusal(exchange, refusalCodes.workspaceAmbiguous)) {
      key.unpinned = true;
      key.isAmbiguous ||= runsInWorkspace(exchange);
      for (const slug of slugsIn(exchange)) enter(key.told, slug);
    }
    if (typeof named === 'string') enter(key.asked, named);
    addListed(key, exchange);
    if (!isSuccess(exchange) || typeof workspace !== 'string') return;
    enter(key.reached, workspace);
    const source = member(exchange.response.json, 'working_in', 'source');
    if (isRole(role) ? typeof source === 'string' && source !== 'key-pin' : named === undefined && isWithoutPin(source))
      key.unpinned = true;
    const { tool } = exchange.request;
    if (named === undefined) {
      key.own = workspace;
      if (!key.first.has(tool)) key.first.set(tool, exchange);
      enter(key.told, workspace);
    } else if (named === workspace) {
      const slugs = key.named.get(tool) ?? new Set();
      key.named.set(tool, slugs);
      enter(slugs, workspace);
    }
  }

  /** Returns the default workspace of a role; undefined if no response has shown it. */
  own(role: KeyName | null): string | undefined {
    return this.#key(role).own;
  }

  /** Returns the first result of a role's tool without a `workspace` argument, if default workspaces stay the same. */
  firstOwn(role: KeyName | null, tool: string | null): Completed | undefined {
    return this.#steady ? this.#key(role).first.get(tool) : undefined;
  }

  /** Returns the workspace of a request: the named one, or the default workspace of its key. */
  of(exchange: Completed): string | undefined {
    const named = exchange.request.args?.workspace;
    if (typeof named === 'string') return named;
    const { workspace } = body(exchange);
    if (this.#steady) return this.own(exchange.sender.role);
    return typeof workspace === 'string' ? workspace : undefined;
  }

  /** Returns the earlier refusal that listed the workspace of a request. */
  listedBefore(exchange: Completed, listing: Listing): Completed | undefined {
    const refusal = this.#key(exchange.sender.role).listed[listing].get(exchange.request.args?.workspace);
    return refusal !== undefined && precedes(refusal, exchange) ? refusal : undefined;
  }

  /** Returns the workspaces in the results of a role. */
  reached(role: KeyName): ReadonlySet<string> {
    return this.#key(role).reached;
  }

  /** Returns whether a role worked in this workspace, with any tool other than `except`. */
  reaches(role: KeyName | null, workspace: string, except?: string | null): boolean {
    if (this.own(role) === workspace) return true;
    return [...this.#key(role).named].some(([tool, slugs]) => tool !== except && slugs.has(workspace));
  }

  /** Returns whether a request of the role named this workspace, with any outcome. */
  wasNamed(role: KeyName | null, workspace: string): boolean {
    return this.#key(role).asked.has(workspace);
  }

  /** Returns whether a tool worked for any key in a named workspace other than `except`. */
  worksNamed(tool: string | null, except?: unknown): boolean {
    return [...this.#keys.values()].some(({ named }) => [...(named.get(tool) ?? [])].some((slug) => slug !== except));
  }

  /** Returns whether the role received this slug without naming a workspace. */
  isTold(role: KeyName | null, workspace: string): boolean {
    return this.#key(role).told.has(workspace);
  }

  /** Returns whether tools name different workspaces to a role that names none, so that its own one is unknown. */
  isContradicted(role: KeyName | null): boolean {
    return this.#key(role).told.size > 1;
  }

  /** Returns whether a pin of the key may override the `workspace` argument. */
  mayStay(role: KeyName | null, tool: string | null): boolean {
    if (role === null) return true;
    if (withoutPin.includes(role)) return false;
    const { own, unpinned, named } = this.#key(role);
    const elsewhere = (slugs: ReadonlySet<string>) => own !== undefined && [...slugs].some((slug) => slug !== own);
    if (isRole(role) && role !== 'pinned') return !unpinned && ![...named.values()].some(elsewhere);
    if (!isRole(role) && unpinned) return false;
    // The specification does not show how a pinned key treats the argument, so each tool may treat it differently.
    return !this.#steady || !elsewhere(named.get(tool) ?? new Set());
  }

  /** Returns whether a key may be pinned. For most roles, the default workspace must be known. */
  mayBePinned(role: KeyName | null): boolean {
    if (role !== null && !isRole(role)) return this.mayStay(role, null);
    return role === null || role === 'pinned' || (this.own(role) !== undefined && this.mayStay(role, null));
  }

  /** Whether the server checks the arguments before it looks for the workspace. The specification leaves this open. */
  get checksArgumentsFirst(): boolean {
    return [...this.#keys.values()].some(({ isAmbiguous, hasArgumentsRefused }) => isAmbiguous && hasArgumentsRefused);
  }

  #key(role: KeyName | null): KeyPlaces {
    return (role === null ? undefined : this.#keys.get(role)) ?? unknownKey;
  }
}

function addListed({ listed }: KeyPlaces, exchange: Completed): void {
  const isNamed = typeof exchange.request.args?.workspace === 'string';
  if (!isRefusal(exchange, isNamed ? undefined : refusalCodes.workspaceAmbiguous)) return;
  const known = listed[isNamed ? 'unreachable' : 'ambiguous'];
  for (const slug of slugsIn(exchange)) if (!known.has(slug) && known.size < mostRemembered) known.set(slug, exchange);
}

function enter(set: Set<string>, value: string): void {
  if (set.size < mostRemembered) set.add(value);
}

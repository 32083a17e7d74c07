import { randomBytes } from 'node:crypto';
import { type Role, roles } from '../fixtures/roles.ts';
import { createWorld } from '../fixtures/world/world.ts';
import { advancePath, controlHeader, controlPath, createControl } from './control.ts';
import type { Handle } from './exchange.ts';
import { type Listening, type ListenOptions, listen } from './http.ts';
import { createHandle } from './pipeline.ts';
import { conforming, type Rules } from './rules.ts';
import { type Clock, movableClock, systemClock } from './state/clock.ts';
import { seededIds } from './state/ids.ts';
import { createState } from './state/state.ts';
import type { Stats } from './state/stats.ts';

export const defaultRateCap = 600;
export const throttledRateCap = 30;

export interface StubOptions {
  /** Whole number; the same seed gives the same world, keys and ids. 1 by default. */
  readonly seed?: number;
  /** Calls a minute for each key, 600 by default; `throttled` has 30, or this where it is less. */
  readonly rateCap?: number;
  /** What the stub's clock runs with; the system's by default. */
  readonly clock?: Clock;
  /** Serves the control plane. `true` makes a token of its own. */
  readonly control?: boolean | { readonly token: string };
  /** How the stub deviates, from its conforming self by default. */
  readonly rules?: (conforming: Rules) => Rules;
  /** Learns of faults of the stub itself. They go to the console by default. */
  readonly onFault?: (error: unknown) => void;
}

/** A workspace and one of its boards, as a client's configuration wants them. */
export interface WorkspaceAndBoard {
  readonly slug: string;
  readonly board: string;
}

/** What moves the clock over HTTP, once the stub listens at an origin. */
export interface Control {
  readonly token: string;
  readonly path: string;
  readonly header: string;
}

export interface StubCore extends AsyncDisposable {
  readonly keys: Readonly<Record<Role, string>>;
  /** Roles whose keys are handed out. */
  readonly roles: readonly Role[];
  /** Workspaces that `primary` reaches; the first is its default. */
  readonly workspaces: readonly WorkspaceAndBoard[];
  /** A workspace and a board that `otherAccount` reaches, and `primary` does not. */
  readonly otherAccount: WorkspaceAndBoard;
  /** Path of the base URL, empty unless the rules say otherwise. */
  readonly basePath: string;
  /** An aspect ratio that images may have. */
  readonly shape: string;
  readonly control: Control | null;
  readonly stats: Stats;
  readonly handle: Handle;
  /** Milliseconds since 1970, by the stub's clock. */
  readonly now: () => number;
  /** Moves the clock, for confirmations, windows and the schedule alike. Throws a RangeError for what is not forward. */
  readonly advance: (seconds: number) => void;
  /** Serves over HTTP; may be called more than once. Rejects when the address cannot be had. */
  readonly listen: (options?: ListenOptions) => Promise<Listening & { readonly baseUrl: string }>;
  /** Closes every listener. */
  readonly close: () => Promise<void>;
}

/** The stub without its in-process dispatcher, which costs as much start-up as all the rest. */
export function createCore(options: StubOptions = {}): StubCore {
  const { seed = 1, rateCap = defaultRateCap, onFault = console.error } = options;
  const rules = options.rules?.(conforming) ?? conforming;
  const world = createWorld(seed, rules.writeId);
  const clock = movableClock(options.clock ?? systemClock);
  const state = createState({
    world,
    clock,
    ids: seededIds(seed, rules.writeId),
    cap: ({ role }) => (role === 'throttled' ? Math.min(throttledRateCap, rateCap) : rateCap),
  });
  const control = createToken(options.control);
  const api = createHandle(state, rules);
  const handle = control === null ? api : withControl(api, createControl({ token: control.token, clock }));
  const listeners: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  };
  const located = (slug: string): WorkspaceAndBoard => ({ slug, board: state.workspace(slug).content.boards[0].id });
  const reachOf = (role: Role) => world.keys.find((key) => key.role === role)?.reach ?? [];
  return {
    keys: collectKeys(world.keys),
    get workspaces() {
      return reachOf('primary').map(located);
    },
    get otherAccount() {
      return located(reachOf('otherAccount')[0] ?? '');
    },
    roles: rules.roles,
    basePath: rules.basePath,
    shape: rules.images.shape,
    control,
    stats: state.tally,
    handle,
    now: clock.now,
    advance: clock.advance,
    async listen(where = {}) {
      const listening = await listen(handle, where, onFault);
      listeners.push(listening);
      return { ...listening, baseUrl: listening.origin + rules.basePath };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createToken(wanted: StubOptions['control']): Control | null {
  if (wanted === undefined || wanted === false) return null;
  const token = wanted === true ? randomBytes(24).toString('base64url') : wanted.token;
  return { token, path: advancePath, header: controlHeader };
}

function withControl(api: Handle, control: Handle): Handle {
  return (request) => (request.path.startsWith(controlPath) ? control(request) : api(request));
}

function collectKeys(keys: readonly { readonly role: Role; readonly secret: string }[]): Record<Role, string> {
  const secrets = new Map(keys.map(({ role, secret }) => [role, secret]));
  // Every role has a key in the world, which a test of the world asserts.
  return Object.fromEntries(roles.map((role) => [role, secrets.get(role) ?? ''])) as Record<Role, string>;
}

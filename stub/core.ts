import { createControl, type Deviate } from './control/control.ts';
import { advancePath, controlHeader, controlPath } from './control/reply.ts';
import { conforming } from './server/conforming.ts';
import type { Handle, StubRequest, StubResponse } from './server/handle.ts';
import { type Clock, systemClock } from './server/state/clock.ts';
import { withCors } from './transports/cors.ts';
import { type Listening, type ListenOptions, listen } from './transports/http.ts';
import type { World } from './worlds/world.ts';
import { createWorlds, type WorldOptions } from './worlds/worlds.ts';

// An `import` would evaluate all exports of the module, which is slow.
const { randomBytes } = process.getBuiltinModule('node:crypto');

export type { Chosen, Deviate } from './control/control.ts';
export { defaultRateLimit, throttledRateLimit, type WorkspaceAndBoard } from './worlds/world.ts';

/** Options of a stub and of its main sandbox. */
export interface StubOptions extends WorldOptions {
  /** Time source of all sandbox clocks (default: the system clock). */
  readonly clock?: Clock;
  /** Enables the control plane. `true` generates a token. */
  readonly control?: boolean | { readonly token: string };
  /** Origin whose pages can call the stub (default: none); `*` for all origins. */
  readonly cors?: string | undefined;
  /**
   * Adds paths beside the API.
   * @internal
   */
  readonly around?: (handle: Handle, main: World) => Handle;
  /**
   * Creates deviations for sandboxes of the control plane. Without it, requests for variants or defects are rejected.
   * @internal
   */
  readonly deviate?: Deviate;
  /**
   * The page that the control plane serves.
   * @internal
   */
  readonly page?: StubResponse;
  /** Called with internal errors of the stub (default: `console.error`). */
  readonly onFault?: (error: unknown) => void;
}

/** Access to the control plane. The URL starts with the origin of a listener. */
interface Control {
  readonly token: string;
  /** Path for advancing the clock. */
  readonly path: string;
  readonly header: string;
}

/** The stub. It is also its main sandbox. */
export interface StubCore extends World, AsyncDisposable {
  readonly control: Control | null;
  /** Handles requests to all sandboxes and to the control plane. */
  readonly handle: Handle;
  /** Milliseconds since 1970, by the clock of the main sandbox. */
  readonly now: () => number;
  /**
   * Advances the clock of the main sandbox, for confirmations, rate limits and the schedule. Throws a RangeError for a
   * negative or excessive number.
   */
  readonly advance: (seconds: number) => void;
  /** Creates a sandbox with its own keys. Throws a RangeError for invalid options. */
  readonly mint: (options?: WorldOptions) => World;
  /** Drops a created sandbox. Returns whether it existed. */
  readonly drop: (world: World) => boolean;
  /** Starts an HTTP listener; can be called repeatedly. Rejects if the address is unavailable. */
  readonly listen: (options?: ListenOptions) => Promise<Listening & { readonly baseUrl: string }>;
  readonly close: () => Promise<void>;
}

/** Creates a stub without in-process transports and without names of variants, which slow down its start. */
export function createCore(options: StubOptions = {}): StubCore {
  const { clock = systemClock, onFault = console.error } = options;
  const behavior = options.deviation?.(conforming) ?? conforming;
  const worlds = createWorlds({ ...options, behavior, clock });
  const { main } = worlds;
  const control = createToken(options.control);
  const { deviate, page } = options;
  const plane = control === null ? null : createControl({ token: control.token, worlds, deviate, page });
  const isControl = ({ path }: StubRequest) => plane !== null && path.startsWith(controlPath);
  const served: Handle =
    plane === null ? worlds.handle : (request) => (isControl(request) ? plane(request) : worlds.handle(request));
  const surrounded = options.around?.(served, main) ?? served;
  const handle = options.cors === undefined ? surrounded : withCors(surrounded, options.cors, isControl);
  const listeners: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  };
  return extend(main, {
    control,
    handle,
    now: main.clock.now,
    advance: main.clock.advance,
    mint: worlds.mint,
    drop: (world: World) => worlds.drop(world.id),
    async listen(where: ListenOptions = {}) {
      const listening = await listen(handle, where, onFault);
      listeners.push(listening);
      return { ...listening, baseUrl: listening.origin + behavior.basePath };
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}

function createToken(wanted: StubOptions['control']): Control | null {
  if (wanted === undefined || wanted === false) return null;
  const token = wanted === true ? randomBytes(24).toString('base64url') : wanted.token;
  return { token, path: advancePath, header: controlHeader };
}

/** Merges two objects and preserves their getters. */
export function extend<T extends object, U extends object>(base: T, more: U): Omit<T, keyof U> & U {
  const members = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(more) };
  // The return type of Object.defineProperties lacks the defined properties.
  return Object.defineProperties({}, members) as Omit<T, keyof U> & U;
}

import { randomBytes } from '../fixtures/world/crypto.ts';
import type { ControlOptions, Deviate } from './control/control.ts';
import { advancePath, controlHeader, controlPath } from './control/paths.ts';
import type { Deviation } from './server/behavior.ts';
import { conforming } from './server/conforming.ts';
import type { Handle, StubRequest, StubResponse } from './server/handle.ts';
import { type Clock, systemClock } from './server/state/clock.ts';
import { withCors } from './transports/cors.ts';
import { type Listening, type ListenOptions, listen } from './transports/http.ts';
import { extend } from './worlds/extend.ts';
import type { World } from './worlds/world.ts';
import { createWorlds, type WorldOptions } from './worlds/worlds.ts';

export type { Chosen, Deviate } from './control/control.ts';
export { defaultRateLimit, throttledRateLimit, type WorkspaceAndBoard } from './worlds/world.ts';

export interface StubOptions {
  /** Whole number; the same seed gives the same world, keys and ids. 1 by default. */
  readonly seed?: number;
  /** Requests a minute for each key, 600 by default; `throttled` has 30, or this where it is less. */
  readonly rateLimit?: number;
  /** How many ids the library of each workspace has, 16 by default; the rest grows with it. */
  readonly size?: number;
  /** The time at which the clocks of its sandboxes begin, such as `2027-03-08T09:00:00Z`; the real one by default. */
  readonly now?: string | undefined;
  /** What the stub's clocks run with; the system's by default. */
  readonly clock?: Clock;
  /** Serves the control plane. `true` makes a token of its own. */
  readonly control?: boolean | { readonly token: string };
  /** Lets pages of this origin call the stub from a browser; `*` for every origin. Off by default. */
  readonly cors?: string;
  /**
   * Serves more beside the API.
   * @internal
   */
  readonly around?: (handle: Handle, main: World) => Handle;
  /**
   * How the stub deviates, from its conforming self by default.
   * @internal
   */
  readonly deviation?: Deviation;
  /**
   * What the control plane may mint worlds with; without it, only conforming ones.
   * @internal
   */
  readonly deviate?: Deviate;
  /**
   * The page that the control plane serves, if any.
   * @internal
   */
  readonly page?: StubResponse;
  /** Whether calls are written down; they are unless told otherwise. */
  readonly journal?: boolean;
  /**
   * Learns how many worlds there are besides the main one, when one is minted.
   * @internal
   */
  readonly onWorlds?: (count: number) => void;
  /** Learns of faults of the stub itself. They go to the console by default. */
  readonly onFault?: (error: unknown) => void;
}

/** What opens the control plane over HTTP, once the stub listens at an origin. */
export interface Control {
  readonly token: string;
  /** Where the clock is moved. */
  readonly path: string;
  readonly header: string;
}

/** The stub: its main world, and all that it has besides. */
export interface StubCore extends World, AsyncDisposable {
  readonly control: Control | null;
  /** Responds for all worlds, and for the control plane. */
  readonly handle: Handle;
  /** Milliseconds since 1970, by the main world's clock. */
  readonly now: () => number;
  /**
   * Moves the main world's clock, for confirmations, windows and the schedule alike. Throws a RangeError for what is
   * not forward.
   */
  readonly advance: (seconds: number) => void;
  /** Begins another world, with keys of its own. Throws a RangeError for a seed or a size that cannot be. */
  readonly mint: (options?: WorldOptions) => World;
  /** Ends a world that was minted; gives whether it was there. */
  readonly drop: (world: World) => boolean;
  /** Serves over HTTP; may be called more than once. Rejects when the address cannot be had. */
  readonly listen: (options?: ListenOptions) => Promise<Listening & { readonly baseUrl: string }>;
  /** Closes every listener. */
  readonly close: () => Promise<void>;
}

/** Makes a control plane for worlds. */
export type CreatePlane = (options: ControlOptions) => Handle;

/**
 * The stub without what costs start-up and is not always wanted: its in-process dispatcher, and, unless the function
 * that makes it is given, its control plane. Throws when that is asked for and cannot be had.
 */
export function createCore(options: StubOptions = {}, createPlane?: CreatePlane): StubCore {
  const { seed = 1, rateLimit, size, now, clock = systemClock, journal = true, onFault = console.error } = options;
  const behavior = options.deviation?.(conforming) ?? conforming;
  const worlds = createWorlds({ seed, rateLimit, size, now, behavior, clock, journal, onWorlds: options.onWorlds });
  const { main } = worlds;
  const control = createToken(options.control);
  const { deviate, page } = options;
  const plane = control === null ? null : createPlane?.({ token: control.token, worlds, deviate, page });
  if (plane === undefined) throw new Error('This stub has no control plane.');
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

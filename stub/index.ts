import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { createControl } from './control/control.ts';
import { advancePath, controlHeader, controlPath } from './control/reply.ts';
import { type Judgement, judgementOf } from './judge/judgement.ts';
import type { Handle, StubRequest, StubResponse } from './server/handle.ts';
import { type Clock, systemClock } from './server/state/clock.ts';
import { withCors } from './transports/cors.ts';
import { createDispatcher, fetchBy } from './transports/dispatcher.ts';
import { type Listening, type ListenOptions, listen } from './transports/http.ts';
import { checked, func, object, text, whole } from './worlds/checked.ts';
import type { World } from './worlds/world.ts';
import { createWorlds, type MintOptions, mintMembers } from './worlds/worlds.ts';

// An `import` would evaluate all exports of the module, which is slow.
const { randomBytes } = process.getBuiltinModule('node:crypto');

export type { Fault } from './faults/fault.ts';
export type { ExchangeEvent, Journal, JournalEvent } from './journal/event.ts';
export { type ClientFinding, type Judgement, whyNot } from './judge/judgement.ts';
export type { Profile, ProfileName } from './profiles/profile.ts';
export type { Switches } from './worlds/switches.ts';
export type { WorldView } from './worlds/view.ts';
export type { World } from './worlds/world.ts';
export type { MintOptions } from './worlds/worlds.ts';

const publicMembers = z
  .strictObject({
    /** Time source of all sandbox clocks (default: the system clock). */
    clock: object<Clock>(),
    /** Enables the control plane. `true` generates a token. */
    control: z.union(
      [z.boolean(), z.strictObject({ token: z.string() }).readonly()],
      'expected true, false or an object with a token',
    ),
    /** Origin whose pages can call the stub (default: none); `*` for all origins. */
    cors: text(2000),
    /** Called with internal errors of the stub (default: `console.error`). */
    onFault: func<(error: unknown) => void>(),
  })
  .partial();

/** Options of a stub and of its main sandbox. */
export interface CreateStubOptions extends MintOptions, Readonly<z.input<typeof publicMembers>> {
  /**
   * Adds paths beside the API.
   * @internal
   */
  readonly around?: (handle: Handle, main: World) => Handle;
  /**
   * The page that the control plane serves.
   * @internal
   */
  readonly page?: StubResponse;
}

const stubMembers = mintMembers.extend({
  ...publicMembers.shape,
  around: func().optional(),
  page: object().optional(),
});

/** The part of `fetch` that clients of the API need. The global `fetch` has this type. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** In-process access to a sandbox. */
export interface InProcess {
  /** For clients that need a URL. It cannot be reached over the network. */
  readonly baseUrl: string;
  /** Replaces the global fetch, for any origin. */
  readonly fetch: Fetch;
  /** Dispatcher for undici requests, for any origin. */
  readonly dispatcher: Dispatcher;
  /** Judges the recorded requests by the client rules. */
  readonly judgement: () => Judgement;
}

/** A sandbox that is dropped on disposal. */
export interface OwnWorld extends World, InProcess, AsyncDisposable {}

/** Access to the control plane. The URL starts with the origin of a listener. */
interface Control {
  readonly token: string;
  /** Path for advancing the clock. */
  readonly path: string;
  readonly header: string;
}

/** The stub. It is also its main sandbox. */
export interface Stub extends World, InProcess, AsyncDisposable {
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
  /** Creates a sandbox with its own keys. Throws for invalid options and for unknown names. */
  readonly mint: (options?: MintOptions) => OwnWorld;
  /** Starts an HTTP listener; can be called repeatedly. Rejects if the address is unavailable. */
  readonly listen: (options?: ListenOptions) => Promise<Listening & { readonly baseUrl: string }>;
  readonly close: () => Promise<void>;
}

const listenMembers = z
  .strictObject({ port: whole(0, 65_535), host: text(255), tls: object(), beside: object() })
  .partial();

/** The top-level domain `invalid` is reserved, so it never resolves (RFC 2606). */
const nowhere = 'http://stub.invalid';

/**
 * Creates the reference stub: a seeded sandbox with all roles and tools, in process and over HTTP. Throws a RangeError
 * for unknown options and invalid values.
 */
export function createStub(options: CreateStubOptions = {}): Stub {
  checked('A stub', stubMembers, options);
  const { clock = systemClock, onFault = console.error, page, cors } = options;
  const worlds = createWorlds(options, clock);
  const { main } = worlds;
  const { control: wanted = false } = options;
  const token = typeof wanted === 'object' ? wanted.token : randomBytes(24).toString('base64url');
  const control = wanted === false ? null : { token, path: advancePath, header: controlHeader };
  const plane = control && createControl({ token: control.token, worlds, page });
  const isControl = ({ path }: StubRequest) => plane !== null && path.startsWith(controlPath);
  const served: Handle = (request) => (plane !== null && isControl(request) ? plane : worlds.handle)(request);
  const surrounded = options.around?.(served, main) ?? served;
  const handle = cors === undefined ? surrounded : withCors(surrounded, cors, isControl);
  const listeners: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  };
  const ofStub = {
    control,
    handle,
    now: () => main.clock.now(),
    advance: (seconds: number) => main.clock.advance(seconds),
    mint(wanted: MintOptions = {}): OwnWorld {
      const world = worlds.mint(wanted);
      return extend(extend(world, inProcess(world.handle, world)), {
        [Symbol.asyncDispose]: async () => {
          worlds.drop(world.id);
        },
      });
    },
    async listen(where: ListenOptions = {}) {
      checked('A listener', listenMembers, where);
      const listening = await listen(handle, where, onFault);
      listeners.push(listening);
      return { ...listening, baseUrl: listening.origin + main.basePath };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return extend(extend(main, inProcess(handle, main)), ofStub);
}

function inProcess(handle: Handle, world: World): InProcess {
  let created: Dispatcher | undefined;
  // Created on demand, because undici takes longer to load than the stub.
  const dispatcher = (): Dispatcher => (created ??= createDispatcher(handle));
  return {
    baseUrl: nowhere + world.basePath,
    fetch: (input, init) => fetchBy(dispatcher(), new Request(input, init)),
    get dispatcher() {
      return dispatcher();
    },
    judgement: () => judgementOf(world),
  };
}

/** Merges two objects and preserves their getters. */
function extend<T extends object, U extends object>(base: T, more: U): Omit<T, keyof U> & U {
  const members = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(more) };
  // The return type of Object.defineProperties lacks the defined properties.
  return Object.defineProperties({}, members) as Omit<T, keyof U> & U;
}

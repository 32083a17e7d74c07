import type { Dispatcher } from 'undici';
import { isRecord } from '../suites/json.ts';

import { createCore, extend, type StubCore, type StubOptions } from './core.ts';
import { type Judgement, judgementOf } from './judge/judgement.ts';
import type { Deviation } from './server/behavior.ts';
import { createDispatcher } from './transports/dispatcher.ts';
import { createFetch, type Fetch } from './transports/fetch.ts';
import type { ListenOptions } from './transports/http.ts';
import { together } from './variants/defect.ts';
import { deviationOf, type Names } from './variants/index.ts';
import { type Member, requireMembers, text, whole } from './worlds/members.ts';
import type { World } from './worlds/world.ts';
import { type MintOptions, mintMembers } from './worlds/worlds.ts';

export type { Fault } from './faults/fault.ts';
export type { ExchangeEvent, Journal, JournalEvent } from './journal/event.ts';
export { type ClientFinding, type Judgement, whyNot } from './judge/judgement.ts';
export type { Profile, ProfileName } from './profiles/profile.ts';
export type { Fetch } from './transports/fetch.ts';
export type { Switches } from './worlds/switches.ts';
export type { WorldView } from './worlds/view.ts';
export type { World } from './worlds/world.ts';
export type { MintOptions } from './worlds/worlds.ts';

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

export interface Stub extends Omit<StubCore, 'mint'>, InProcess {
  /** Creates a sandbox with its own keys. Throws for invalid options and for unknown names. */
  readonly mint: (options?: MintOptions) => OwnWorld;
}

export interface CreateStubOptions extends StubOptions, Names {}

const isFunction: Member = [(value) => typeof value === 'function', 'a function'];
const isObject: Member = [isRecord, 'an object'];

const stubMembers: Readonly<Record<keyof CreateStubOptions, Member>> = {
  ...mintMembers,
  clock: isObject,
  control: [
    (value) => typeof value === 'boolean' || (isRecord(value) && typeof value.token === 'string'),
    'true, false or an object with a token',
  ],
  cors: text(2000),
  onFault: isFunction,
  around: isFunction,
  deviate: isFunction,
  page: isObject,
};

const listenMembers: Readonly<Record<keyof ListenOptions, Member>> = {
  port: whole(0, 65_535),
  host: text(255),
  tls: isObject,
  beside: isObject,
};

const conforms: Deviation = (behavior) => behavior;

/** The top-level domain `invalid` is reserved, so it never resolves (RFC 2606). */
const nowhere = 'http://stub.invalid';

/**
 * Creates the reference stub: a seeded sandbox with all roles and tools, in process and over HTTP. Throws a RangeError
 * for unknown options and invalid values.
 */
export function createStub(options: CreateStubOptions = {}): Stub {
  requireMembers<CreateStubOptions>('A stub', options, stubMembers);
  const { deviation = conforms, seed = 1 } = options;
  const named = deviationOf({ ...options, seed });
  const core = createCore({ deviate: deviationOf, ...options, deviation: together(named, deviation) });
  return extend(extend(core, inProcess(core)), {
    async listen(where: ListenOptions = {}) {
      requireMembers<ListenOptions>('A listener', where, listenMembers);
      return core.listen(where);
    },
    mint(wanted: MintOptions = {}): OwnWorld {
      requireMembers<MintOptions>('A sandbox', wanted, mintMembers);
      const { deviation: more = conforms, variants, defects, ...rest } = wanted;
      const named = deviationOf({ variants, defects, seed: rest.seed ?? seed });
      const world = core.mint({ ...rest, deviation: together(named, more) });
      return extend(extend(world, inProcess(world)), {
        [Symbol.asyncDispose]: async () => {
          core.drop(world);
        },
      });
    },
  });
}

function inProcess(world: World): InProcess {
  let dispatcher: Dispatcher | undefined;
  return {
    baseUrl: nowhere + world.basePath,
    fetch: createFetch(world.handle),
    // Created on demand, because undici takes longer to load than the stub.
    get dispatcher() {
      dispatcher ??= createDispatcher(world.handle);
      return dispatcher;
    },
    judgement: () => judgementOf(world),
  };
}

import type { Dispatcher } from 'undici';
import { createControlled } from './controlled.ts';
import type { StubCore, StubOptions } from './core.ts';
import { type Judgement, judgementOf } from './judge/judgement.ts';
import type { Deviation } from './server/behavior.ts';
import { createDispatcher } from './transports/dispatcher.ts';
import { createFetch, type Fetch } from './transports/fetch.ts';
import { together } from './variants/deviation.ts';
import { deviationOf, type Names } from './variants/index.ts';
import { extend } from './worlds/extend.ts';
import { requireMembers } from './worlds/members.ts';
import { type MintOptions, mintMembers } from './worlds/minting.ts';
import type { World } from './worlds/world.ts';

export { type ControlClient, type ControlledWorld, connect } from './control/client.ts';
export type { Fault } from './faults/fault.ts';
export type { ExchangeEvent, Journal, JournalEvent } from './journal/event.ts';
export type { ClientFinding, Judgement } from './judge/judgement.ts';
export type { Fetch } from './transports/fetch.ts';
export type { MintOptions } from './worlds/minting.ts';
export type { Switches } from './worlds/switches.ts';
export type { WorldView } from './worlds/view.ts';
export type { World } from './worlds/world.ts';

/** Ways to call a world within this process. */
export interface InProcess {
  /** For clients that want an address: nothing goes there. */
  readonly baseUrl: string;
  /** Takes the place of the global fetch, whatever the origin of the address. */
  readonly fetch: Fetch;
  /** Responds to undici's requests, whatever their origin. */
  readonly dispatcher: Dispatcher;
  /** Holds what the world saw of its client against the rules that the specification has for clients. */
  readonly judgement: () => Judgement;
}

/** A world that ends when it is disposed of. */
export interface OwnWorld extends World, InProcess, AsyncDisposable {}

export interface Stub extends Omit<StubCore, 'mint'>, InProcess {
  /** Begins another world, with keys of its own. Throws for what cannot be, and for names that are none. */
  readonly mint: (options?: MintOptions) => OwnWorld;
}

export interface CreateStubOptions extends StubOptions, Names {}

const conforms: Deviation = (behavior) => behavior;

/** Stands for a host that there is none of: the top-level domain is reserved for that. */
const nowhere = 'http://stub.invalid';

/** The reference stub: a seeded world, a key for each role, and the nine tools, in this process and over HTTP. */
export function createStub(options: CreateStubOptions = {}): Stub {
  const { deviation = conforms, seed = 1 } = options;
  const named = deviationOf({ ...options, seed });
  const core = createControlled({ deviate: deviationOf, ...options, deviation: together(named, deviation) });
  return extend(core, {
    ...inProcess(core),
    mint(wanted: MintOptions = {}): OwnWorld {
      requireMembers<MintOptions>('A sandbox', wanted, mintMembers);
      const { deviation: more = conforms, variants, defects, ...rest } = wanted;
      const named = deviationOf({ variants, defects, seed: rest.seed ?? seed });
      const world = core.mint({ ...rest, deviation: together(named, more) });
      return extend(world, {
        ...inProcess(world),
        [Symbol.asyncDispose]: async () => {
          core.drop(world);
        },
      });
    },
  });
}

function inProcess(world: World): InProcess {
  return {
    baseUrl: nowhere + world.basePath,
    fetch: createFetch(world.handle),
    dispatcher: createDispatcher(world.handle),
    judgement: () => judgementOf(world),
  };
}

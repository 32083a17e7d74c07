import { keepContents } from '../../fixtures/world/contents.ts';
import { largestSize } from '../../fixtures/world/workspace.ts';
import { createMemory } from '../journal/store.ts';
import type { Behavior, Deviation } from '../server/behavior.ts';
import type { Handle, StubRequest } from '../server/handle.ts';
import type { Clock } from '../server/state/clock.ts';
import { createShares } from '../server/state/share.ts';
import { secretOf } from '../server/steps/authenticate.ts';
import { type Member, requireMembers, time, whole } from './members.ts';
import { defaultRateLimit, type HostedWorld, openWorld, type World } from './world.ts';

/** How a world begins. */
export interface WorldOptions {
  /** Whole number; the same seed gives the same contents and ids. The stub's own unless given. */
  readonly seed?: number | undefined;
  /** Requests a minute for each key, 600 unless given; `throttled` has 30, or this where it is less. */
  readonly rateLimit?: number | undefined;
  /** How many ids the library of each workspace has, 16 unless given; the rest grows with it. */
  readonly size?: number | undefined;
  /** The time at which its clock begins, such as `2027-03-08T09:00:00Z`; the real one unless given. */
  readonly now?: string | undefined;
  /**
   * How it deviates from the stub's own behavior.
   * @internal
   */
  readonly deviation?: Deviation | undefined;
}

/** The worlds of one stub. */
export interface Worlds {
  readonly main: HostedWorld;
  /** Begins a new world, with keys that no other has. Throws a RangeError for what cannot be. */
  readonly mint: (options?: WorldOptions) => World;
  /** A world that is there, by its id. */
  readonly find: (id: string) => World | undefined;
  readonly list: () => readonly World[];
  /** Ends a world; `main` stays. Gives whether there was one to end. */
  readonly drop: (id: string) => boolean;
  /** How many worlds were dropped because they were idle, or too many. */
  readonly dropped: () => number;
  readonly handle: Handle;
}

export interface WorldsOptions {
  readonly seed: number;
  readonly rateLimit: number | undefined;
  readonly size: number | undefined;
  readonly now: string | undefined;
  readonly behavior: Behavior;
  readonly clock: Clock;
  readonly journal: boolean;
  /** Learns how many worlds there are besides the main one, when one is minted. */
  readonly onWorlds?: ((count: number) => void) | undefined;
}

/** Most worlds beside the main one; the one that was idle for longest makes room. */
export const mostWorlds = 100;
/** A world that nobody has called for so long is dropped when another is minted. Real time, not the world's. */
export const idleSeconds = 900;
/** Contents of workspaces that are kept, for all worlds together. */
const keptContents = 12;

/** Begins the path of a base URL that belongs to one world alone. */
export const worldPrefix = '/~';

/** What a world may be begun with. */
export const worldMembers: Readonly<Record<keyof WorldOptions, Member>> = {
  seed: whole(0, 2 ** 32 - 1),
  rateLimit: whole(1, Number.MAX_SAFE_INTEGER),
  size: whole(0, largestSize),
  now: time,
  deviation: [(value) => typeof value === 'function', 'a function of the behavior', {}],
};

interface Hosted {
  readonly world: HostedWorld;
  usedAt: number;
}

export function createWorlds(options: WorldsOptions): Worlds {
  const { clock, seed, behavior } = options;
  const minted = new Map<string, Hosted>();
  const owners = new Map<string, Hosted>();
  const shares = createShares(() => minted.size + 1);
  const contents = keepContents(keptContents);
  const memory = createMemory();
  let given = 0;
  let dropped = 0;
  const open = (id: string, wanted: WorldOptions, onCall?: () => void): HostedWorld =>
    openWorld({
      id,
      seed: wanted.seed ?? seed,
      behavior: wanted.deviation?.(behavior) ?? behavior,
      rateLimit: wanted.rateLimit ?? options.rateLimit ?? defaultRateLimit,
      size: wanted.size ?? options.size,
      now: wanted.now ?? options.now,
      named: id !== 'main',
      clock,
      contents,
      shares,
      memory,
      journal: options.journal,
      onCall,
    });
  const { rateLimit, size, now } = options;
  requireMembers<WorldOptions>('A sandbox', { seed, rateLimit, size, now }, worldMembers);
  const main = open('main', {});

  const drop = (id: string): boolean => {
    const hosted = minted.get(id);
    if (hosted === undefined) return false;
    minted.delete(id);
    for (const secret of hosted.world.secrets) owners.delete(secret);
    hosted.world.end();
    return true;
  };
  const makeRoom = (): void => {
    const idleSince = clock.now() - idleSeconds * 1000;
    for (const [id, { usedAt }] of minted) if (usedAt < idleSince && drop(id)) dropped += 1;
    if (minted.size < mostWorlds) return;
    const [longest] = [...minted].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (longest !== undefined && drop(longest[0])) dropped += 1;
  };

  return {
    main,
    mint(wanted = {}) {
      requireMembers<WorldOptions>('A sandbox', wanted, worldMembers);
      makeRoom();
      given += 1;
      const id = `w${given}`;
      const onCall = (): void => {
        hosted.usedAt = clock.now();
      };
      const hosted: Hosted = { world: open(id, wanted, onCall), usedAt: clock.now() };
      minted.set(id, hosted);
      for (const secret of hosted.world.secrets) owners.set(secret, hosted);
      for (const { world } of minted.values()) world.trim();
      main.trim();
      options.onWorlds?.(minted.size);
      return hosted.world;
    },
    find(id) {
      const hosted = minted.get(id);
      if (hosted !== undefined) hosted.usedAt = clock.now();
      return id === 'main' ? main : hosted?.world;
    },
    list: () => [main, ...[...minted.values()].map(({ world }) => world)],
    drop,
    dropped: () => dropped,
    handle(request) {
      if (minted.size === 0) return main.handle(request);
      const [hosted, own] = ownerOf(request, minted, owners);
      if (hosted === undefined) return main.handle(own);
      return hosted.world.handle(own);
    },
  };
}

/**
 * The world that a request belongs to, and the request as that world sees it: the world of the path where the path
 * names one, else that of the key, wherever a client has put it.
 */
function ownerOf(
  request: StubRequest,
  minted: ReadonlyMap<string, Hosted>,
  owners: ReadonlyMap<string, Hosted>,
): [Hosted | undefined, StubRequest] {
  const { path } = request;
  if (path.startsWith(worldPrefix)) {
    const end = path.indexOf('/', worldPrefix.length);
    const id = path.slice(worldPrefix.length, end === -1 ? undefined : end);
    return [minted.get(id), { ...request, path: end === -1 ? '/' : path.slice(end) }];
  }
  const owner = owners.get(secretOf(request) ?? '');
  return [owner ?? misplaced(request, owners), request];
}

const keyForm = /cwk_[\w-]{43}/;

/** A key that is in the wrong place still says whose call it is: the world's journal is to show it. */
function misplaced({ path, headers, body }: StubRequest, owners: ReadonlyMap<string, Hosted>): Hosted | undefined {
  if (headers.authorization !== undefined && !keyForm.test(String(headers.authorization))) return undefined;
  const texts = [path, ...Object.values(headers).map(String), Buffer.from(body ?? []).toString('latin1')];
  for (const text of texts) {
    const found = keyForm.exec(text);
    if (found !== null) return owners.get(found[0]);
  }
  return undefined;
}

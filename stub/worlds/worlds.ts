import { z } from 'zod';
import { faultsOf, type Profile } from '../profiles/profile.ts';
import { type GivenData, largestSize, parseData } from '../seeded/data.ts';
import type { Behavior, Deviation } from '../server/behavior.ts';
import { conforming } from '../server/conforming.ts';
import type { Handle, StubRequest } from '../server/handle.ts';
import type { Clock } from '../server/state/clock.ts';
import { secretOf } from '../server/steps.ts';
import { chooseVariants, combineVariants } from '../variants/conforming/index.ts';
import { together } from '../variants/defect.ts';
import { combineDefects } from '../variants/defects.ts';
import { checked, func, object, time, whole } from './checked.ts';
import { defaultRateLimit, openWorld, type World } from './world.ts';

/** Members of the options for creating a sandbox over HTTP. */
export const requestMembers = z
  .strictObject({
    /** Integer (default: the stub's seed, or 1). The same seed gives the same content, keys and IDs. */
    seed: whole(0, 2 ** 32 - 1),
    /** Requests per minute for each key (default: 600). `throttled` gets at most 30. */
    rateLimit: z.int().min(1),
    /** Number of IDs in the library of each workspace (default: 16). Other content scales with it. */
    size: whole(0, largestSize),
    /** Start time of the clock, for example `2027-03-08T09:00:00Z` (default: the current time). */
    now: time,
    /** Data that replaces parts of the seeded content. `seed` and `now` take precedence over the data. */
    data: object<GivenData>('an object as data.schema.json describes it'),
    /** Faults that the sandbox starts with, or the name of a profile (default: the stub's profile). */
    profile: z.custom<Profile>(),
    /** Conforming variants; `random` adds random ones. Listed by `tck list --variants`. */
    variants: z.array(z.string()).readonly(),
    /** Defects; they break the specification. Listed by `tck list --defects`. */
    defects: z.array(z.string()).readonly(),
  })
  .partial();

/** Options of a new sandbox. */
export interface MintOptions extends Readonly<z.input<typeof requestMembers>> {
  /**
   * Changes the behavior of the stub for this sandbox.
   * @internal
   */
  readonly deviation?: Deviation | undefined;
  /**
   * Most events of the journal.
   * @internal
   */
  readonly mostEvents?: number | undefined;
}

export const mintMembers = requestMembers.extend({
  deviation: func<Deviation>().optional(),
  mostEvents: z.int().min(1).optional(),
});

/** The sandboxes of one stub. */
export interface Worlds {
  readonly main: World;
  /** Creates a sandbox with unique keys. Throws a RangeError for invalid options. */
  readonly mint: (options?: MintOptions) => World;
  /** Returns an existing sandbox by ID. */
  readonly find: (id: string) => World | undefined;
  /** Drops a sandbox, except `main`. Returns whether a sandbox was dropped. */
  readonly drop: (id: string) => boolean;
  readonly handle: Handle;
}

/** Maximum number of sandboxes besides `main`. Beyond it, the longest idle sandbox is dropped. */
export const mostWorlds = 100;

/** Path prefix of base URLs that select a sandbox by ID. */
export const worldPrefix = '/~';

/**
 * Creates the sandboxes of a stub. `options` are those of `main`, and the defaults of the others, except for
 * `data`.
 */
export function createWorlds(options: MintOptions, clock: Clock): Worlds {
  /** By ID, the longest idle first. */
  const minted = new Map<string, World>();
  const owners = new Map<string, World>();
  let given = 0;
  const dataOf = ({ data }: MintOptions) => (data === undefined ? undefined : parseData(data));
  const dataOfMain = dataOf(options);
  const defaultSeed = options.seed ?? dataOfMain?.seed ?? 1;
  const behaviorOf = (wanted: MintOptions, base: Behavior): Behavior => {
    const { variants = [], defects = [], seed = defaultSeed } = wanted;
    const named = together(combineVariants(chooseVariants(variants, seed)), combineDefects(defects))(base);
    return wanted.deviation?.(named) ?? named;
  };
  const behavior = behaviorOf(options, conforming);
  const open = (id: string, wanted: MintOptions, own: Behavior, data = dataOf(wanted), onCall?: () => void): World => {
    const profile = wanted.profile ?? options.profile;
    return openWorld({
      id,
      seed: wanted.seed ?? data?.seed ?? defaultSeed,
      behavior: own,
      rateLimit: wanted.rateLimit ?? options.rateLimit ?? defaultRateLimit,
      size: wanted.size ?? options.size,
      now: wanted.now ?? data?.now ?? options.now,
      data,
      profile: profile === undefined ? [] : faultsOf(profile),
      clock,
      mostEvents: wanted.mostEvents,
      onCall,
    });
  };
  const main = open('main', options, behavior, dataOfMain);

  const drop = (id: string): boolean => {
    for (const secret of Object.values(minted.get(id)?.keys ?? {})) owners.delete(secret);
    return minted.delete(id);
  };
  const used = (id: string): void => {
    const world = minted.get(id);
    if (world === undefined) return;
    minted.delete(id);
    minted.set(id, world);
  };

  return {
    main,
    mint(wanted = {}) {
      checked('A sandbox', mintMembers, wanted);
      const [longest] = minted.size < mostWorlds ? [] : minted.keys();
      if (longest !== undefined) drop(longest);
      given += 1;
      const id = `w${given}`;
      const world = open(id, wanted, behaviorOf(wanted, behavior), undefined, () => used(id));
      minted.set(id, world);
      for (const secret of Object.values(world.keys)) owners.set(secret, world);
      return world;
    },
    find(id) {
      used(id);
      return id === 'main' ? main : minted.get(id);
    },
    drop,
    handle(request) {
      const [owner = main, own] = ownerOf(request, minted, owners);
      return owner.handle(own);
    },
  };
}

/**
 * Finds the sandbox of a request: by its path if the path names a sandbox, otherwise by its key. Returns it with the
 * request as the sandbox sees it.
 */
function ownerOf(
  request: StubRequest,
  minted: ReadonlyMap<string, World>,
  owners: ReadonlyMap<string, World>,
): [World | undefined, StubRequest] {
  const { path } = request;
  if (path.startsWith(worldPrefix)) {
    const end = path.indexOf('/', worldPrefix.length);
    const id = path.slice(worldPrefix.length, end === -1 ? undefined : end);
    return [minted.get(id), { ...request, path: end === -1 ? '/' : path.slice(end) }];
  }
  return [owners.get(secretOf(request) ?? ''), request];
}

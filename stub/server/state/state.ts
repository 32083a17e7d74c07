import type { Format } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Account, Key, Platform, StoredItem, WorkspaceContent, World } from '../../../fixtures/world/model.ts';
import { seededRandom } from '../../../fixtures/world/seeded.ts';
import type { AnswersAtHand } from '../tools/remembered.ts';
import { createWeekReader, type Week } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import type { Ids } from './ids.ts';
import { trimList } from './lists.ts';
import { createRateWindows, type RateWindows } from './rate-windows.ts';
import { saveState } from './save.ts';
import type { Shares } from './share.ts';
import { createTally, type Tally } from './stats.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What a key may do is looked up on every call, so that a change of it acts at once ("Authentication", item 3). */
export interface KeyState extends Mutable<Key> {
  /** Requests a minute. */
  rateLimit: number;
}

export type AccountState = Mutable<Account>;
export type PlatformState = Mutable<Platform>;

/** A piece that somebody asked for. */
export interface RequestedPiece {
  readonly piece_id: string;
  readonly title: string | null;
  readonly format: Format;
  readonly day: string;
  readonly scheduled_for: string | null;
  readonly platforms: readonly string[];
  readonly filled_planned_slot: boolean;
}

export interface WorkspaceState {
  readonly slug: string;
  /** The words that name it to a person. */
  readonly label: string;
  readonly content: WorkspaceContent;
  /** In the order in which they were asked for. */
  readonly requested: RequestedPiece[];
  /** Latest first. */
  readonly generated: StoredItem[];
  readonly atHand: AnswersAtHand;
}

/** Images that were dispatched, and what for. */
export interface Run {
  readonly run_id: string;
  readonly confirmation_id: string;
  readonly workspace: string;
  readonly account: string;
  readonly role: Role;
  readonly images: number;
  readonly credits: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Everything that a stub remembers. */
export interface State {
  readonly world: World;
  readonly clock: MovableClock;
  /** The current week; its first day counts from Sunday as 0. */
  readonly week: (firstWeekday: number) => Week;
  readonly ids: Ids;
  readonly platforms: ReadonlyMap<string, PlatformState>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** By secret. */
  readonly keys: ReadonlyMap<string, KeyState>;
  readonly confirmations: Confirmations;
  /** In the order in which they were dispatched. */
  readonly runs: Run[];
  readonly rateWindows: RateWindows;
  readonly tally: Tally;
  /** What was too much to be kept, by kind. */
  readonly forgotten: Forgotten;
  /** Changes with whatever is added or taken back. */
  readonly version: () => number;
  /** Texts of responses that are given over and over, by their bodies. */
  readonly texts: WeakMap<object, string>;
  /** How many answers a workspace may have at hand. */
  readonly answersAtHand: () => number;
  /** A number from 0 to 1, the next of the seed's. */
  readonly chance: () => number;
  /** Throws for a slug that the world does not have: keys reach only those that it has. */
  readonly workspace: (slug: string) => WorkspaceState;
  /** Workspaces that calls have run in. */
  readonly touched: () => Iterable<WorkspaceState>;
  /** Forgets what goes beyond the world's share, oldest first. To be called after something was added. */
  readonly trim: () => void;
  /**
   * Remembers all of this; the function that is given goes back to it, as often as it is called. Identifiers go on:
   * none comes twice.
   */
  readonly save: () => () => void;
}

export type Forgotten = { pieces: number; images: number; proposals: number; runs: number };

export interface StateOptions {
  readonly world: World;
  readonly clock: MovableClock;
  readonly ids: Ids;
  readonly rateLimit: (key: Key) => number;
  /** What is kept of things that come and go. */
  readonly shares: Shares;
}

export function createState(options: StateOptions): State {
  const { world, clock, ids, rateLimit, shares } = options;
  let version = 0;
  const workspaces = new Map<string, WorkspaceState>();
  const state: State = {
    world,
    clock,
    week: createWeekReader(clock),
    ids,
    platforms: new Map(world.platforms.map((platform) => [platform.id, { ...platform }])),
    accounts: new Map(world.accounts.map((account) => [account.id, { ...account }])),
    keys: new Map(world.keys.map((key) => [key.secret, { ...key, rateLimit: rateLimit(key) }])),
    confirmations: createConfirmations(),
    runs: [],
    rateWindows: createRateWindows(),
    tally: createTally(),
    forgotten: { pieces: 0, images: 0, proposals: 0, runs: 0 },
    version: () => version,
    texts: new WeakMap(),
    answersAtHand: shares.answersAtHand,
    chance: seededRandom(world.seed),
    workspace(slug) {
      const known = workspaces.get(slug);
      if (known !== undefined) return known;
      const workspace = openWorkspace(world, slug);
      workspaces.set(slug, workspace);
      return workspace;
    },
    touched: () => workspaces.values(),
    trim() {
      const { forgotten, confirmations, runs } = state;
      const bound = shares.things();
      version += 1;
      forgotten.proposals += confirmations.keep(shares.proposals());
      forgotten.runs += trimList(runs, bound, 'first');
      for (const { requested, generated } of workspaces.values()) {
        forgotten.pieces += trimList(requested, bound, 'first');
        forgotten.images += trimList(generated, bound, 'last');
      }
    },
    save() {
      const restore = saveState(state, workspaces);
      return () => {
        restore();
        version += 1;
      };
    },
  };
  return state;
}

/** Contents can be made again at any time, so that a workspace does not hold on to them. */
function openWorkspace(world: World, slug: string): WorkspaceState {
  const load = (): WorkspaceContent => {
    const content = world.workspace(slug);
    if (content === undefined) throw new Error(`No workspace '${slug}' in this world.`);
    return content;
  };
  const first = load();
  let held = new WeakRef(first);
  return {
    slug,
    label: [first.name, ' (', slug, ')'].join(''),
    get content() {
      const there = held.deref();
      if (there !== undefined) return there;
      const content = load();
      held = new WeakRef(content);
      return content;
    },
    requested: [],
    generated: [],
    atHand: new Map(),
  };
}

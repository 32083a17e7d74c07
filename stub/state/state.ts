import type { Format } from '../../fixtures/contract/tools.ts';
import type { Account, Key, Platform, StoredItem, WorkspaceContent, World } from '../../fixtures/world/model.ts';
import { createWeekReader, type Week } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import type { Ids } from './ids.ts';
import { createRateWindows, type RateWindows } from './rate-windows.ts';
import { createTally, type Tally } from './stats.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What a key may do is looked up on every call, so that a change of it acts at once ("Authentication", item 3). */
export interface KeyState extends Mutable<Key> {
  /** Calls a minute. */
  cap: number;
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
  readonly content: WorkspaceContent;
  /** In the order in which they were asked for. */
  readonly requested: RequestedPiece[];
  /** Latest first. */
  readonly generated: StoredItem[];
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
  readonly rateWindows: RateWindows;
  readonly tally: Tally;
  /** Throws for a slug that the world does not have: keys reach only those that it has. */
  readonly workspace: (slug: string) => WorkspaceState;
}

export interface StateOptions {
  readonly world: World;
  readonly clock: MovableClock;
  readonly ids: Ids;
  readonly cap: (key: Key) => number;
}

export function createState({ world, clock, ids, cap }: StateOptions): State {
  const workspaces = new Map<string, WorkspaceState>();
  return {
    world,
    clock,
    week: createWeekReader(clock),
    ids,
    platforms: new Map(world.platforms.map((platform) => [platform.id, { ...platform }])),
    accounts: new Map(world.accounts.map((account) => [account.id, { ...account }])),
    keys: new Map(world.keys.map((key) => [key.secret, { ...key, cap: cap(key) }])),
    confirmations: createConfirmations(),
    rateWindows: createRateWindows(),
    tally: createTally(),
    workspace(slug) {
      const known = workspaces.get(slug);
      if (known !== undefined) return known;
      const content = world.workspace(slug);
      if (content === undefined) throw new Error(`No workspace '${slug}' in this world.`);
      const state: WorkspaceState = { content, requested: [], generated: [] };
      workspaces.set(slug, state);
      return state;
    },
  };
}

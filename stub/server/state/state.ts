import type { Format } from '../../../fixtures/contract/enums.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Account, Key, Platform, StoredItem, WorkspaceContent, World } from '../../../fixtures/world/model.ts';
import type { ApiResponse } from '../responses.ts';
import type { Week } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import type { Confirmations } from './confirmations.ts';
import type { Ids } from './ids.ts';
import type { RateWindows } from './rate-windows.ts';
import type { Tally } from './stats.ts';

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

/** A response of a reading tool, with everything that it rests on. */
export interface Remembered {
  readonly response: ApiResponse;
  /** The very object: a deviation may hand on one that is changed. */
  readonly workspace: WorkspaceState;
  /** The very object, which decides how the stub behaves. */
  readonly behavior: object;
  readonly version: number;
  readonly requested: number;
  readonly generated: number;
  readonly minute: number;
}

/** Answers of reading tools that a workspace has at hand, by tool and arguments. */
export type AnswersAtHand = Map<string, Remembered>;

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

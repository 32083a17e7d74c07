import type { Format } from '../../../fixtures/contract/enums.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Account, Key, Platform, SeededWorld, StoredItem, WorkspaceContent } from '../../seeded/model.ts';
import type { Ids } from '../../seeded/random.ts';
import type { Week } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import type { RateWindows } from './rate-windows.ts';
import type { Tally } from './stats.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Looked up on every request, so that changes take effect immediately ("Authentication", item 3). */
export interface KeyState extends Mutable<Key> {
  /** Requests per minute. */
  rateLimit: number;
}

export type AccountState = Mutable<Account>;
type PlatformState = Mutable<Platform>;

/** A piece created by `content.create_request`. */
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
  /** Display name. */
  readonly label: string;
  readonly content: WorkspaceContent;
  /** Oldest first. */
  readonly requested: RequestedPiece[];
  /** Latest first. */
  readonly generated: StoredItem[];
}

/** One dispatched image generation. */
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

/** The complete state of a sandbox. */
export interface State {
  readonly world: SeededWorld;
  readonly clock: MovableClock;
  /** Returns the current week. `firstWeekday` is 0 for Sunday. */
  readonly week: (firstWeekday: number) => Week;
  readonly ids: Ids;
  readonly platforms: ReadonlyMap<string, PlatformState>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** By secret. */
  readonly keys: ReadonlyMap<string, KeyState>;
  readonly confirmations: Confirmations;
  /** Oldest first. */
  readonly runs: Run[];
  readonly rateWindows: RateWindows;
  readonly tally: Tally;
  /** How many items of each kind were deleted because of the memory limits. */
  readonly forgotten: Forgotten;
  /** Returns the next pseudorandom number of the seed, from 0 to 1 (exclusive). */
  readonly chance: () => number;
  /** Throws for an unknown slug. Keys can reach only known workspaces. */
  readonly workspace: (slug: string) => WorkspaceState;
  /** Workspaces that have been used. */
  readonly touched: () => Iterable<WorkspaceState>;
  /** Deletes the oldest items beyond the memory limits. Call it after each addition. */
  readonly trim: () => void;
}

export type Forgotten = { pieces: number; images: number; proposals: number; runs: number };

/** The request that the person approved. It runs even if the confirming request differs ("Confirmation", rule 1). */
export interface ImageRequest {
  readonly board: string;
  readonly brief: string;
  readonly count: number;
  readonly shape: string;
}

export interface Confirmation {
  readonly id: string;
  readonly request: ImageRequest;
  /** Slug of the workspace of the proposal. */
  readonly workspace: string;
  readonly account: string;
  /** Role of the key that made the proposal. */
  readonly role: Role;
  /** Summary for the person who approves the request. */
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** Unused confirmations by ID, the oldest first. The ID of a used confirmation is like one that was never issued. */
export type Confirmations = Map<string, Confirmation>;

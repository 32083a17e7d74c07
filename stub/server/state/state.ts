import type { Format } from '../../../fixtures/contract/enums.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Item } from '../../seeded/data.ts';
import type { Account, Key, WorkspaceContent } from '../../seeded/model.ts';
import { digest, seededRandom } from '../../seeded/random.ts';
import type { SeededWorld } from '../../seeded/world.ts';
import { type Week, weekOf } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import { RateWindows } from './rate-windows.ts';
import { createTally } from './stats.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Looked up on every request, so that changes take effect immediately ("Authentication", item 3). */
export interface KeyState extends Mutable<Key> {
  /** Requests per minute. */
  rateLimit: number;
}

export type AccountState = Mutable<Account>;

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
  readonly generated: Item[];
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

/** Open proposals of a sandbox; pieces and images of each workspace, and runs of a sandbox. */
const most = { proposals: 300, things: 1000 };

/** The complete state of a sandbox. */
export class State {
  readonly world: SeededWorld;
  readonly clock: MovableClock;
  readonly platforms: ReadonlyMap<string, SeededWorld['platforms'][number]>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** By secret. */
  readonly keys: ReadonlyMap<string, KeyState>;
  readonly confirmations: Confirmations = new Map();
  /** Oldest first. */
  readonly runs: Run[] = [];
  readonly rateWindows = new RateWindows();
  readonly tally = createTally();
  /** Returns the next pseudorandom number of the seed, from 0 to 1 (exclusive). */
  readonly chance: () => number;
  readonly #workspaces = new Map<string, WorkspaceState>();
  #ids = 0;

  constructor(world: SeededWorld, clock: MovableClock, rateLimit: (key: Key) => number) {
    this.world = world;
    this.clock = clock;
    this.platforms = new Map(world.platforms.map((platform) => [platform.id, { ...platform }]));
    this.accounts = new Map(world.accounts.map((account) => [account.id, { ...account }]));
    this.keys = new Map(world.keys.map((key) => [key.secret, { ...key, rateLimit: rateLimit(key) }]));
    this.chance = seededRandom(world.seed);
  }

  /** Returns an identifier not returned before, with 20 hexadecimal digits. The same seed gives the same sequence. */
  nextId(kind: string): string {
    this.#ids += 1;
    return this.world.writeId(kind, digest(this.world.seed, 'ids', String(this.#ids)).slice(0, 20));
  }

  /** Returns the current week. `firstWeekday` is 0 for Sunday. */
  week(firstWeekday: number): Week {
    return weekOf(this.clock.now(), firstWeekday);
  }

  /** Throws for an unknown slug. Keys can reach only known workspaces. */
  workspace(slug: string): WorkspaceState {
    const known = this.#workspaces.get(slug);
    if (known !== undefined) return known;
    const content = this.world.workspace(slug);
    if (content === undefined) throw new Error(`No workspace '${slug}' in this world.`);
    const { label = `${content.name} (${slug})` } = content;
    const workspace = { slug, label, content, requested: [], generated: [] };
    this.#workspaces.set(slug, workspace);
    return workspace;
  }

  /** Workspaces that have been used. */
  touched(): Iterable<WorkspaceState> {
    return this.#workspaces.values();
  }

  /** Deletes the oldest items beyond the memory limits. Call it after each addition. */
  trim(): void {
    const { confirmations, runs } = this;
    for (const id of confirmations.keys()) {
      if (confirmations.size <= most.proposals) break;
      confirmations.delete(id);
    }
    runs.splice(0, runs.length - most.things);
    for (const { requested, generated } of this.#workspaces.values()) {
      requested.splice(0, requested.length - most.things);
      generated.splice(most.things);
    }
  }
}

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
  /** Decision of the simulated person. */
  decision?: 'approved' | 'denied';
}

/** Unused confirmations by ID, the oldest first. The ID of a used confirmation is like one that was never issued. */
export type Confirmations = Map<string, Confirmation>;

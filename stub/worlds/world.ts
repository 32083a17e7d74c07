import { toolsPath } from '../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import type { Contents } from '../../fixtures/world/contents.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import { createWorld } from '../../fixtures/world/world.ts';
import type { History } from '../../suites/history/history.ts';
import { createFaultQueue, type Faults } from '../faults/queue.ts';
import type { Journal, JournalEvent } from '../journal/event.ts';
import { historyOf } from '../journal/history.ts';
import { createJournal } from '../journal/journal.ts';
import { createRedactor } from '../journal/redactor.ts';
import type { Memory } from '../journal/store.ts';
import type { Behavior } from '../server/behavior.ts';
import type { Handle } from '../server/handle.ts';
import { createPipeline } from '../server/pipeline.ts';
import { type Clock, movableClock } from '../server/state/clock.ts';
import { createState } from '../server/state/create.ts';
import { seededIds } from '../server/state/ids.ts';
import type { Shares } from '../server/state/share.ts';
import type { State } from '../server/state/state.ts';
import type { Stats } from '../server/state/stats.ts';
import { requireTime } from './members.ts';
import { createPerson, type Person } from './person.ts';
import { createResponder } from './responder.ts';
import { type Switches, throwSwitches } from './switches.ts';
import { viewOf, type WorldView } from './view.ts';

export const defaultRateLimit = 600;
export const throttledRateLimit = 30;

/** A workspace and one of its boards, as a client's configuration wants them. */
export interface WorkspaceAndBoard {
  readonly slug: string;
  readonly board: string;
}

/** The clock of one world: confirmations, windows and the schedule go by it. */
export interface WorldClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Moves by seconds; all has moved when it returns. Throws a RangeError for what is not forward. */
  readonly advance: (seconds: number) => void;
  /** Sets it to a time such as `2027-03-08T09:00:00Z`. Throws a RangeError for a time that is past, or none. */
  readonly set: (time: string) => void;
  /** Lets it stand still, until it is resumed. */
  readonly freeze: () => void;
  readonly resume: () => void;
  readonly frozen: () => boolean;
}

/** A moment of a world. It belongs to the world that it was taken of. */
export interface Snapshot {
  readonly world: string;
  readonly restore: () => void;
}

/** A private world: a set of keys with their own data, clock, rate limits, faults and journal. */
export interface World {
  /** `main`, or a name that was given when it was minted. */
  readonly id: string;
  readonly seed: number;
  readonly keys: Readonly<Record<Role, string>>;
  /** Roles whose keys a client is told of; all of them unless a variant says otherwise. */
  readonly roles: readonly Role[];
  /** Workspaces that `primary` reaches; the first is its default. */
  readonly workspaces: readonly WorkspaceAndBoard[];
  /** A workspace and a board that `otherAccount` reaches, and `primary` does not. */
  readonly otherAccount: WorkspaceAndBoard;
  /** Path of the base URL, empty unless a variant says otherwise. */
  readonly basePath: string;
  /** An aspect ratio that is accepted. */
  readonly shape: string;
  readonly stats: Stats;
  readonly clock: WorldClock;
  readonly faults: Faults;
  readonly person: Person;
  /**
   * Throws switches for the key in a role, its account and its platform. Throws a RangeError for what cannot be, such
   * as a workspace out of reach.
   */
  readonly switch: (role: Role, switches: Switches) => void;
  /** Lets every proposal that waits expire now, whatever the clock says. */
  readonly expireProposals: () => void;
  /** What was created, what waits, what was dispatched and charged, and what is switched how. */
  readonly state: () => WorldView;
  /** What came to pass after an event, oldest first; all that is remembered unless told. */
  readonly journal: (after?: number) => Journal;
  /** The same as plain data for rules: what a client did, and what a person said. */
  readonly history: () => History;
  /**
   * Tells of every event before the response goes out, until the function that is given is called, or the world is
   * dropped: `ended` learns of that.
   */
  readonly watch: (listener: (event: JournalEvent) => void, ended?: () => void) => () => void;
  /** Whether a person has spoken. */
  readonly attended: () => boolean;
  readonly snapshot: () => Snapshot;
  /**
   * Goes back to a moment: data, rate limits, clock. The journal goes on. Throws a RangeError for a moment of another
   * world.
   */
  readonly restore: (snapshot: Snapshot) => void;
  /** Begins again as when it was minted, journal and faults included. */
  readonly reset: () => void;
  /** The world as a function of requests. */
  readonly handle: Handle;
}

export interface OpenWorld {
  readonly id: string;
  readonly seed: number;
  readonly behavior: Behavior;
  /** Requests a minute for each key; `throttled` has 30, or this where it is less. */
  readonly rateLimit: number;
  readonly size?: number | undefined;
  /** The time at which its clock begins. */
  readonly now?: string | undefined;
  /** Whether keys are those of the seed alone, which one world only can have. */
  readonly named: boolean;
  readonly clock: Clock;
  readonly contents: Contents;
  readonly shares: Shares;
  /** For the journal. */
  readonly memory: Memory;
  readonly journal: boolean;
  /** Learns of every call, wherever it came in. */
  readonly onCall?: (() => void) | undefined;
}

/** A world with what its host wants of it besides. */
export interface HostedWorld extends World {
  readonly secrets: readonly string[];
  /** Forgets what goes beyond its share. */
  readonly trim: () => void;
  /** Gives back what it holds; it is not called any more. */
  readonly end: () => void;
}

export function openWorld(options: OpenWorld): HostedWorld {
  const { id, seed, behavior, rateLimit, size, shares } = options;
  const world = createWorld(seed, behavior.writeId, {
    contents: options.contents,
    size,
    ...(options.named ? { name: id } : {}),
  });
  const begin = (): State =>
    createState({
      world,
      clock: movableClock(options.clock, options.now === undefined ? undefined : Date.parse(options.now)),
      ids: seededIds(seed, behavior.writeId),
      rateLimit: ({ role }) => (role === 'throttled' ? Math.min(throttledRateLimit, rateLimit) : rateLimit),
      shares,
    });
  let state = begin();
  let pipeline = createPipeline(state, behavior);
  const clock: WorldClock = {
    now: () => state.clock.now(),
    advance(seconds) {
      state.clock.advance(seconds);
      journal.note(`The clock was advanced by ${seconds} seconds.`);
    },
    set(time) {
      requireTime(time);
      state.clock.set(Date.parse(time));
      journal.note(`The clock was set to ${time}.`);
    },
    freeze() {
      state.clock.freeze();
      journal.note('The clock was frozen.');
    },
    resume() {
      state.clock.resume();
      journal.note('The clock was resumed.');
    },
    frozen: () => state.clock.frozen(),
  };
  const journal = createJournal(
    clock,
    options.clock,
    createRedactor(() => state.keys),
    shares.journalBytes,
    options.memory,
  );
  const faults = createFaultQueue(({ fault, metBy: _, ...what }) => {
    journal.note(`Fault ${fault} was queued: ${JSON.stringify(what)}`);
  }, seededRandom(seed));
  const person = createPerson(() => state, behavior.confirmations.lifetimeSeconds, journal);
  const respond = createResponder({
    pipeline: (request, after, instead) => pipeline(request, after, instead),
    keyOf: (secret) => state.keys.get(secret),
    journal: options.journal ? journal : null,
    faults,
    prefix: behavior.basePath + toolsPath,
  });
  const located = (slug: string): WorkspaceAndBoard => ({ slug, board: state.workspace(slug).content.boards[0].id });
  const reachOf = (role: Role) => world.keys.find((key) => key.role === role)?.reach ?? [];
  return {
    id,
    seed,
    get keys() {
      return collectKeys(world.keys);
    },
    roles: behavior.roles,
    get workspaces() {
      return reachOf('primary').map(located);
    },
    get otherAccount() {
      return located(reachOf('otherAccount')[0] ?? '');
    },
    basePath: behavior.basePath,
    shape: behavior.images.shape,
    get stats() {
      return state.tally;
    },
    clock,
    faults,
    person,
    switch(role, switches) {
      throwSwitches(state, role, switches);
      journal.note(`Switches of ${role}: ${JSON.stringify(switches)}`);
    },
    expireProposals() {
      state.confirmations.keep(0);
      journal.note('All open proposals were expired.');
    },
    state: () => ({
      ...viewOf(state, behavior, person.said),
      faults: { unmet: faults.unmet(), met: faults.met() },
      forgotten: { ...state.forgotten, journal: journal.dropped() },
    }),
    journal: journal.read,
    history: () => historyOf(journal.read(), { accounts: accountsOf(world.keys), person: journal.attended() }),
    watch: journal.watch,
    attended: journal.attended,
    snapshot: () => ({ world: id, restore: state.save() }),
    restore(snapshot) {
      if (snapshot.world !== id)
        throw new RangeError(`The snapshot is of the sandbox '${snapshot.world}', not of '${id}'.`);
      snapshot.restore();
      journal.note('The sandbox was restored from a snapshot.');
    },
    reset() {
      state = begin();
      pipeline = createPipeline(state, behavior);
      faults.clear();
      person.clear();
      journal.clear();
    },
    handle(request) {
      options.onCall?.();
      return respond(request);
    },
    secrets: world.keys.map(({ secret }) => secret),
    trim() {
      state.trim();
      journal.trim();
    },
    end: journal.end,
  };
}

function accountsOf(keys: readonly { readonly role: Role; readonly account: string }[]): Map<Role, string> {
  return new Map(keys.map(({ role, account }) => [role, account]));
}

function collectKeys(keys: readonly { readonly role: Role; readonly secret: string }[]): Record<Role, string> {
  const secrets = new Map(keys.map(({ role, secret }) => [role, secret]));
  // Every role has a key in the world, which a test of the world asserts.
  return Object.fromEntries(roles.map((role) => [role, secrets.get(role) ?? ''])) as Record<Role, string>;
}

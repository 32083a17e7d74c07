import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { History } from '../../suites/exchange/history.ts';
import { parsed } from '../../suites/json.ts';
import { type Fault, responseOf, withFault } from '../faults/fault.ts';
import { FaultQueue } from '../faults/queue.ts';
import type { Journal, JournalEvent } from '../journal/event.ts';
import { historyOf } from '../journal/history.ts';
import { createRedactor, JournalKeeper } from '../journal/journal.ts';
import type { WorldData } from '../seeded/data.ts';
import { seededWorld } from '../seeded/world.ts';
import type { Behavior } from '../server/behavior.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import { answer, refusalAtDoor } from '../server/pipeline.ts';
import { type Clock, type MovableClock, movableClock } from '../server/state/clock.ts';
import { State } from '../server/state/state.ts';
import type { Stats } from '../server/state/stats.ts';
import { secretOf } from '../server/steps.ts';
import { type Switches, throwSwitches } from './switches.ts';
import { viewOf, type WorldView } from './view.ts';

export const defaultRateLimit = 600;
const throttledRateLimit = 30;

/** A workspace and one of its boards, as client configurations need them. */
export interface WorkspaceAndBoard {
  readonly slug: string;
  readonly board: string;
}

/**
 * Simulates the person behind a client. Approvals and choices do not affect responses; they are input for the client
 * judgement.
 */
interface Person {
  /** Records that the person approved the proposal. Throws a RangeError if the proposal is unknown or expired. */
  readonly approve: (confirmationId: string) => void;
  /** Records that the person denied the proposal. Throws a RangeError if the proposal is unknown or expired. */
  readonly deny: (confirmationId: string) => void;
  /** Records that the person picked this workspace. */
  readonly picks: (workspace: string) => void;
}

/** An isolated sandbox with its own keys, data, clock, rate limits, faults and journal. */
export interface World {
  /** `main`, or the generated ID of a created sandbox. */
  readonly id: string;
  readonly seed: number;
  readonly keys: Readonly<Record<Role, string>>;
  /** Roles whose keys are listed to clients (default: all). A variant can hide some. */
  readonly roles: readonly Role[];
  /** Workspaces that `primary` can reach. The first is its default workspace. */
  readonly workspaces: readonly (WorkspaceAndBoard & { readonly otherBoard?: string })[];
  /** A workspace and a board that `otherAccount` can reach and `primary` cannot. */
  readonly otherAccount: WorkspaceAndBoard;
  /** Path of the base URL (default: empty). A variant can set it. */
  readonly basePath: string;
  /** A valid aspect ratio. */
  readonly shape: string;
  readonly stats: Stats;
  readonly clock: MovableClock;
  readonly faults: FaultQueue;
  readonly person: Person;
  /**
   * Changes the key of a role, its account and its platform. Throws a RangeError for impossible values, such as an
   * inaccessible workspace.
   */
  readonly switch: (role: Role, switches: Switches) => void;
  /** Expires all open proposals, independent of the clock. */
  readonly expireProposals: () => void;
  /** Returns what was created, proposed, dispatched and charged, and the settings of keys and accounts. */
  readonly state: () => WorldView;
  /** Returns the events after a sequence number (default: all that are kept), oldest first. */
  readonly journal: (after?: number) => Journal;
  /** Returns the journal as input for the client rules: the exchanges and the person's decisions. */
  readonly history: () => History;
  /** Calls `listener` with each event before the response is sent. */
  readonly watch: (listener: (event: JournalEvent) => void) => void;
  /** Resets the sandbox to its initial state, and clears the journal and the faults. */
  readonly reset: () => void;
  readonly handle: Handle;
  /**
   * Returns the refusal of a request by the steps before a tool, for endpoints beside the API.
   * @internal
   */
  readonly refusalAtDoor: (request: StubRequest) => StubResponse | undefined;
}

interface OpenWorld {
  readonly id: string;
  readonly seed: number;
  readonly behavior: Behavior;
  /** Requests per minute for each key. `throttled` gets at most 30. */
  readonly rateLimit: number;
  readonly size?: number | undefined;
  /** Data that replaces parts of the seeded content. */
  readonly data?: WorldData | undefined;
  /** Start time of the clock. */
  readonly now?: string | undefined;
  /** Faults that the sandbox starts with. */
  readonly profile: readonly Fault[];
  readonly clock: Clock;
  readonly mostEvents?: number | undefined;
  /** Called on each request, from any transport. */
  readonly onCall?: (() => void) | undefined;
}

export function openWorld(options: OpenWorld): World {
  const { id, seed, rateLimit, size, behavior } = options;
  const world = seededWorld(seed, behavior.writeId, {
    size,
    data: options.data,
    // Keys that depend only on the seed would collide, so only `main` has them.
    ...(id === 'main' ? {} : { name: id }),
  });
  const begin = (): State =>
    new State(
      world,
      movableClock(options.clock, (what) => journal.note(what), options.now),
      ({ role }) =>
        options.data?.keys?.[role]?.rateLimit ??
        (role === 'throttled' ? Math.min(throttledRateLimit, rateLimit) : rateLimit),
    );
  let state = begin();
  const journal = new JournalKeeper(
    { now: () => state.clock.now() },
    options.clock,
    createRedactor(() => state.keys),
    options.mostEvents,
  );
  const faults = new FaultQueue(options.profile, seed, ({ fault, metBy: _, ...what }) => {
    journal.note(`Fault ${fault} was queued: ${JSON.stringify(what)}`);
  });
  const decide = (id: string, word: 'approved' | 'denied'): void => {
    const proposal = state.confirmations.get(id);
    if (proposal === undefined) throw new RangeError(`There is no open proposal with the id '${id}'.`);
    if (state.clock.now() - proposal.issuedAt >= behavior.confirmations.lifetimeSeconds * 1000)
      throw new RangeError(`The proposal with the id '${id}' has expired.`);
    proposal.decision = word;
    journal.attest(word, id);
  };
  const accounts = new Map(world.keys.map(({ role, account }) => [role, account]));
  const located = (slug: string): WorkspaceAndBoard => ({ slug, board: state.workspace(slug).content.boards[0].id });
  const reachOf = (role: Role) => world.keys.find((key) => key.role === role)?.reach ?? [];
  return {
    id,
    seed,
    // A test asserts that every role has a key.
    keys: Object.fromEntries(world.keys.map(({ role, secret }) => [role, secret])) as Record<Role, string>,
    roles: behavior.roles,
    get workspaces() {
      return reachOf('primary').map((slug) => {
        const other = state.workspace(slug).content.boards[1];
        return { ...located(slug), ...(other === undefined ? {} : { otherBoard: other.id }) };
      });
    },
    get otherAccount() {
      return located(reachOf('otherAccount')[0] ?? '');
    },
    basePath: behavior.basePath,
    shape: behavior.images.shape,
    get stats() {
      return state.tally;
    },
    get clock() {
      return state.clock;
    },
    faults,
    person: {
      approve: (id) => decide(id, 'approved'),
      deny: (id) => decide(id, 'denied'),
      picks: (workspace) => journal.attest('picked', workspace),
    },
    switch(role, switches) {
      throwSwitches(state, role, switches);
      journal.note(`Switches of ${role}: ${JSON.stringify(switches)}`);
    },
    expireProposals() {
      state.confirmations.clear();
      journal.note('All open proposals were expired.');
    },
    state: () => viewOf(state, behavior, faults),
    journal: (after) => journal.read(after),
    history: () => historyOf(journal.read(), { accounts, person: journal.attended }),
    watch: (listener) => journal.watch(listener),
    reset() {
      state = begin();
      faults.reset();
      journal.clear();
    },
    /** Applies a matching fault, and records the exchange before the response is sent. */
    handle(request) {
      options.onCall?.();
      const holder = state.keys.get(secretOf(request) ?? '');
      const struck = faults.take({
        tool: toolIn(request, behavior.basePath + toolsPath),
        role: holder?.role,
        args: () => parsed(Buffer.from(request.body ?? []).toString('utf8')),
      });
      const fault = struck?.fault;
      const instead = fault?.drop === 'before' ? nothing : fault && responseOf(fault);
      const { call, response } = answer(request, state, behavior, instead);
      const sent = struck === undefined ? response : withFault(response, struck.fault, struck.latencyMs);
      const { role, account } = call.key ?? holder ?? { role: null, account: null };
      const cut = sent.delivery?.cutAtBytes === undefined ? 'whole' : 'cut';
      const seq = journal.record({
        request,
        role,
        account,
        toolName: call.toolName,
        answer: fault?.drop === 'before' ? null : sent,
        delivery: fault?.drop === undefined ? cut : `dropped-${fault.drop}-effect`,
        fault: fault?.fault ?? null,
      });
      if (fault !== undefined) faults.settle(fault, seq);
      return { ...sent, abandoned: () => journal.abandon(seq) };
    },
    refusalAtDoor: (request) => refusalAtDoor(request, state, behavior),
  };
}

/** Placeholder for a response that is never sent. It is counted with status 0. */
const nothing = () => ({ status: 0, headers: {}, body: {} });

function toolIn({ method, path }: StubRequest, prefix: string): string {
  const [pathname = ''] = path.split('?');
  return method === 'POST' && pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
}

import type { Key, WorkspaceContent, World } from '../../../fixtures/world/model.ts';
import { seededRandom } from '../../../fixtures/world/seeded.ts';
import { createWeekReader } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import { createConfirmations } from './confirmations.ts';
import type { Ids } from './ids.ts';
import { trimList } from './lists.ts';
import { createRateWindows } from './rate-windows.ts';
import { saveState } from './save.ts';
import type { Shares } from './share.ts';
import type { State, WorkspaceState } from './state.ts';
import { createTally } from './stats.ts';

export interface StateOptions {
  readonly world: World;
  readonly clock: MovableClock;
  readonly ids: Ids;
  readonly rateLimit: (key: Key) => number;
  /** Memory limits of the sandbox. */
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

/**
 * Creates the state of a workspace. The seeded content is only weakly referenced, because it can be generated again.
 */
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
    label: first.label ?? [first.name, ' (', slug, ')'].join(''),
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

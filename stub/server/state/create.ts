import type { Key, SeededWorld } from '../../seeded/model.ts';
import { type Ids, seededRandom } from '../../seeded/random.ts';
import { weekOf } from './calendar.ts';
import type { MovableClock } from './clock.ts';
import { createRateWindows } from './rate-windows.ts';
import type { State, WorkspaceState } from './state.ts';
import { createTally } from './stats.ts';

interface StateOptions {
  readonly world: SeededWorld;
  readonly clock: MovableClock;
  readonly ids: Ids;
  readonly rateLimit: (key: Key) => number;
}

/** Open proposals of a sandbox; pieces and images of each workspace, and runs of a sandbox. */
const most = { proposals: 300, things: 1000 };

export function createState(options: StateOptions): State {
  const { world, clock, ids, rateLimit } = options;
  const workspaces = new Map<string, WorkspaceState>();
  const state: State = {
    world,
    clock,
    week: (firstWeekday) => weekOf(clock.now(), firstWeekday),
    ids,
    platforms: new Map(world.platforms.map((platform) => [platform.id, { ...platform }])),
    accounts: new Map(world.accounts.map((account) => [account.id, { ...account }])),
    keys: new Map(world.keys.map((key) => [key.secret, { ...key, rateLimit: rateLimit(key) }])),
    confirmations: new Map(),
    runs: [],
    rateWindows: createRateWindows(),
    tally: createTally(),
    forgotten: { pieces: 0, images: 0, proposals: 0, runs: 0 },
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
      for (const id of confirmations.keys()) {
        if (confirmations.size <= most.proposals) break;
        confirmations.delete(id);
        forgotten.proposals += 1;
      }
      forgotten.runs += removeFirst(runs, most.things);
      for (const { requested, generated } of workspaces.values()) {
        forgotten.pieces += removeFirst(requested, most.things);
        forgotten.images += generated.splice(most.things).length;
      }
    },
  };
  return state;
}

/** Removes the first items of a list until at most `most` are left. Returns how many it removed. */
function removeFirst(list: unknown[], most: number): number {
  return list.splice(0, Math.max(0, list.length - most)).length;
}

function openWorkspace(world: SeededWorld, slug: string): WorkspaceState {
  const content = world.workspace(slug);
  if (content === undefined) throw new Error(`No workspace '${slug}' in this world.`);
  const { label = `${content.name} (${slug})` } = content;
  return { slug, label, content, requested: [], generated: [] };
}

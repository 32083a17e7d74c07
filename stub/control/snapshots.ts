import type { Snapshot, World } from '../worlds/world.ts';

/** Named snapshots of sandboxes. They are released with their sandbox. */
export interface Snapshots {
  /** Takes a snapshot and returns its name. Only the latest four of each sandbox are kept. */
  readonly take: (world: World) => string;
  /** Throws a RangeError for an unknown or deleted snapshot. */
  readonly restore: (world: World, name: string) => void;
}

const keptOfEach = 4;

export function createSnapshots(): Snapshots {
  const taken = new WeakMap<World, Map<string, Snapshot>>();
  let given = 0;
  return {
    take(world) {
      const own = taken.get(world) ?? new Map<string, Snapshot>();
      taken.set(world, own);
      given += 1;
      const name = `s${given}`;
      own.set(name, world.snapshot());
      const [oldest] = own.size > keptOfEach ? own.keys() : [];
      if (oldest !== undefined) own.delete(oldest);
      return name;
    },
    restore(world, name) {
      const snapshot = taken.get(world)?.get(name);
      if (snapshot === undefined) {
        throw new RangeError(`This sandbox has no snapshot '${name}'; it keeps the latest ${keptOfEach}.`);
      }
      world.restore(snapshot);
    },
  };
}

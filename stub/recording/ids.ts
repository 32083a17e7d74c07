import type { WorldData } from '../world/data.ts';

/** Members of requests that hold an ID which a response returned. */
const sent = ['confirmation_id', 'id'] as const;

/** IDs that the recorded server created during the recording, and the IDs that the stub creates instead. */
export class Ids {
  readonly #inData: ReadonlySet<string>;
  readonly #own = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor({ workspaces = {} }: WorldData) {
    const ids = Object.values(workspaces).flatMap(({ library = [], schedule = [], requested = [] }) => [
      ...library.map(({ id }) => id),
      ...[...schedule, ...requested].map(({ piece_id }) => piece_id),
    ]);
    this.#inData = new Set(ids);
  }

  /** Pairs two values of one member. Returns whether both are IDs, or neither is one. */
  agree(recorded: unknown, actual: unknown): boolean {
    if (recorded === undefined) return true;
    if (typeof recorded !== 'string' || typeof actual !== 'string') return recorded === actual;
    this.#pair(recorded, actual);
    return true;
  }

  /** Returns whether two values identify the same thing. Pairs IDs that are new on both sides. */
  isSame(recorded: unknown, actual: unknown): boolean {
    if (typeof recorded !== 'string' || typeof actual !== 'string') return recorded === actual;
    const own = this.#own.get(recorded);
    if (own !== undefined || recorded === actual) return (own ?? recorded) === actual;
    const isOld = this.#inData.has(recorded) || this.#inData.has(actual) || this.#taken.has(actual);
    // Only images get their IDs without a response that shows them.
    return !isOld && actual.startsWith('img_') && this.#pair(recorded, actual);
  }

  /** Returns the body of a request with the IDs of the stub. */
  translated(body: string | null, args: Readonly<Record<string, unknown>>): string | null {
    const changed = sent.flatMap((name) => {
      const own = typeof args[name] === 'string' ? this.#own.get(args[name]) : undefined;
      return own === undefined ? [] : [[name, own] as const];
    });
    return changed.length === 0 ? body : JSON.stringify({ ...args, ...Object.fromEntries(changed) });
  }

  #pair(recorded: string, actual: string): true {
    this.#own.set(recorded, actual);
    this.#taken.add(actual);
    return true;
  }
}

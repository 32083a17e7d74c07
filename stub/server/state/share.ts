/** A memory limit that all sandboxes of a stub share. */
export interface Portion {
  /** Limit for all sandboxes together, as long as each gets at least `least`. */
  readonly total: number;
  /** Maximum per sandbox. */
  readonly most: number;
  /** Minimum per sandbox. */
  readonly least: number;
}

/** Memory limits of a stub. They also limit how much history it can show. */
export const portions = {
  /** Bytes. */
  journalBytes: { total: 4 << 20, most: 4 << 20, least: 32 << 10 },
  /** Open proposals per sandbox. The limit is low because proposals are added and removed often. */
  proposals: { total: 5000, most: 300, least: 40 },
  /** A separate limit for each kind: pieces and images per workspace, runs per sandbox. */
  things: { total: 5000, most: 1000, least: 40 },
  /** Cached responses per workspace. They affect only speed. */
  answersAtHand: { total: 48, most: 8, least: 0 },
} as const satisfies Record<string, Portion>;

/** Returns the limit for each of `worlds` sandboxes. */
export function shareOf({ total, most, least }: Portion, worlds: number): number {
  return Math.max(least, Math.min(most, Math.floor(total / Math.max(1, worlds))));
}

/** Current limits of a sandbox. Read them again on each change: they shrink when sandboxes are added. */
export interface Shares {
  readonly journalBytes: () => number;
  readonly proposals: () => number;
  readonly things: () => number;
  readonly answersAtHand: () => number;
}

export function createShares(worlds: () => number): Shares {
  return {
    journalBytes: () => shareOf(portions.journalBytes, worlds()),
    proposals: () => shareOf(portions.proposals, worlds()),
    things: () => shareOf(portions.things, worlds()),
    answersAtHand: () => shareOf(portions.answersAtHand, worlds()),
  };
}

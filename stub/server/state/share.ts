/** How much of something a stub keeps, all its worlds together. */
export interface Portion {
  /** Of all worlds together, as long as each has more than `least`. */
  readonly total: number;
  /** Most of one world, however few there are. */
  readonly most: number;
  /** What a world may keep however many there are. */
  readonly least: number;
}

/** What a stub keeps at most: the bounds of its memory, and so of what it can show. */
export const portions = {
  /** Bytes of journal. */
  journalBytes: { total: 4 << 20, most: 4 << 20, least: 32 << 10 },
  /** Proposals of a world that wait: fewer, since what comes and goes as these do is dear when there is much of it. */
  proposals: { total: 5000, most: 300, least: 40 },
  /** Created pieces and generated images of a workspace, runs and queued faults of a world: of each so many. */
  things: { total: 5000, most: 1000, least: 40 },
  /** Answers that a workspace has at hand because they were asked for lately: a matter of speed alone. */
  answersAtHand: { total: 48, most: 8, least: 0 },
} as const satisfies Record<string, Portion>;

/** What each of the worlds may keep now. Fewer than that is never taken from one that has no more. */
export function shareOf({ total, most, least }: Portion, worlds: number): number {
  return Math.max(least, Math.min(most, Math.floor(total / Math.max(1, worlds))));
}

/** The shares of a world, read whenever something is added: they shrink as worlds are added. */
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

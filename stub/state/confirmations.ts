import type { Role } from '../../fixtures/roles.ts';

/** What a person was shown, and what runs, whatever the second call says ("Confirmation", rule 1). */
export interface ImageRequest {
  readonly board: string;
  readonly brief: string;
  readonly count: number;
  readonly shape: string;
}

export interface Confirmation {
  readonly id: string;
  readonly request: ImageRequest;
  /** Slug of the workspace that it was issued in. */
  readonly workspace: string;
  readonly account: string;
  /** Whose call it was. */
  readonly role: Role;
  /** The sentence for the approving person. */
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** Confirmations that wait to be used. One that was used is forgotten, so that it is the same as one never issued. */
export interface Confirmations {
  readonly issue: (confirmation: Confirmation) => void;
  readonly find: (id: string) => Confirmation | undefined;
  readonly consume: (id: string) => void;
  /** Forgets what was issued before a moment, in milliseconds since 1970. */
  readonly forgetBefore: (moment: number) => void;
  /** Forgets the oldest beyond a number; gives how many. */
  readonly keep: (most: number) => number;
  /** Oldest first. */
  readonly waiting: () => Iterable<Confirmation>;
  readonly save: () => () => void;
}

/** How many that do not wait any more may stand in the order of issue, besides as many as do. */
const spare = 64;

export function createConfirmations(): Confirmations {
  const waiting = new Map<string, Confirmation>();
  // In order of issue: a map from which the oldest are taken is slow to tell which is the oldest now.
  let issued: Confirmation[] = [];
  let first = 0;
  const tidy = (): void => {
    if (issued.length <= 2 * waiting.size + spare) return;
    issued = [...waiting.values()];
    first = 0;
  };
  const oldest = (): Confirmation | undefined => {
    while (first < issued.length && !waiting.has(issued[first]?.id ?? '')) first += 1;
    return issued[first];
  };
  return {
    issue(confirmation) {
      waiting.set(confirmation.id, confirmation);
      issued.push(confirmation);
      tidy();
    },
    find: (id) => waiting.get(id),
    consume: (id) => waiting.delete(id),
    forgetBefore(moment) {
      for (let held = oldest(); held !== undefined && held.issuedAt < moment; held = oldest()) waiting.delete(held.id);
    },
    keep(most) {
      const over = Math.max(0, waiting.size - most);
      for (let left = over; left > 0; left -= 1) waiting.delete(oldest()?.id ?? '');
      tidy();
      return over;
    },
    waiting: () => waiting.values(),
    save() {
      const copy = [...waiting];
      return () => {
        waiting.clear();
        for (const [id, confirmation] of copy) waiting.set(id, confirmation);
        issued = [...waiting.values()];
        first = 0;
      };
    },
  };
}

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

export function createConfirmations(): Confirmations {
  const waiting = new Map<string, Confirmation>();
  return {
    issue: (confirmation) => waiting.set(confirmation.id, confirmation),
    find: (id) => waiting.get(id),
    consume: (id) => waiting.delete(id),
    forgetBefore(moment) {
      // A map keeps the order of issue, so the oldest come first.
      for (const { id, issuedAt } of waiting.values()) {
        if (issuedAt >= moment) return;
        waiting.delete(id);
      }
    },
    keep(most) {
      const over = Math.max(0, waiting.size - most);
      let left = over;
      for (const id of waiting.keys()) {
        if (left === 0) break;
        waiting.delete(id);
        left -= 1;
      }
      return over;
    },
    waiting: () => waiting.values(),
    save() {
      const copy = [...waiting];
      return () => {
        waiting.clear();
        for (const [id, confirmation] of copy) waiting.set(id, confirmation);
      };
    },
  };
}

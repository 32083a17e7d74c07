import type { Role } from '../../../fixtures/roles.ts';

/** The request that the person approved. It runs even if the confirming request differs ("Confirmation", rule 1). */
export interface ImageRequest {
  readonly board: string;
  readonly brief: string;
  readonly count: number;
  readonly shape: string;
}

export interface Confirmation {
  readonly id: string;
  readonly request: ImageRequest;
  /** Slug of the workspace of the proposal. */
  readonly workspace: string;
  readonly account: string;
  /** Role of the key that made the proposal. */
  readonly role: Role;
  /** Summary for the person who approves the request. */
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** Unused confirmations. A used confirmation is deleted, so its ID becomes indistinguishable from one never issued. */
export interface Confirmations {
  /** Adds a confirmation. Its ID must be new. */
  readonly issue: (confirmation: Confirmation) => void;
  readonly find: (id: string) => Confirmation | undefined;
  readonly consume: (id: string) => void;
  /** Deletes the confirmations issued before `moment`, in milliseconds since 1970. */
  readonly forgetBefore: (moment: number) => void;
  /** Deletes the oldest confirmations until `most` are left. Returns how many it deleted. */
  readonly keep: (most: number) => number;
  /** Oldest first. */
  readonly waiting: () => readonly Confirmation[];
}

export function createConfirmations(): Confirmations {
  const issued: Confirmation[] = [];
  return {
    issue: (confirmation) => issued.push(confirmation),
    find: (id) => issued.find((held) => held.id === id),
    consume(id) {
      const at = issued.findIndex((held) => held.id === id);
      if (at !== -1) issued.splice(at, 1);
    },
    forgetBefore(moment) {
      while ((issued[0]?.issuedAt ?? moment) < moment) issued.shift();
    },
    keep: (most) => removeFirst(issued, most),
    waiting: () => issued,
  };
}

/** Removes the first items of a list until at most `most` are left. Returns how many it removed. */
export function removeFirst(list: unknown[], most: number): number {
  return list.splice(0, Math.max(0, list.length - most)).length;
}

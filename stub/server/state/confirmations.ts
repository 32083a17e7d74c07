import type { Role } from '../../../fixtures/roles.ts';
import { saveList, trimList } from './lists.ts';

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
  /** Takes one whose id does not wait already. */
  readonly issue: (confirmation: Confirmation) => void;
  readonly find: (id: string) => Confirmation | undefined;
  readonly consume: (id: string) => void;
  /** Forgets what was issued before a moment, in milliseconds since 1970. */
  readonly forgetBefore: (moment: number) => void;
  /** Forgets the oldest beyond a number; gives how many. */
  readonly keep: (most: number) => number;
  /** Oldest first. */
  readonly waiting: () => readonly Confirmation[];
  readonly save: () => () => void;
}

export function createConfirmations(): Confirmations {
  // In order of issue. A list, since a map that as much is taken from as is added costs a proposal more than it saves a
  // confirmation; looked through from its end, since what is asked for was mostly issued just now.
  const issued: Confirmation[] = [];
  return {
    issue: (confirmation) => issued.push(confirmation),
    find: (id) => issued.findLast((held) => held.id === id),
    consume(id) {
      const at = issued.findLastIndex((held) => held.id === id);
      if (at !== -1) issued.splice(at, 1);
    },
    forgetBefore(moment) {
      while ((issued[0]?.issuedAt ?? moment) < moment) issued.shift();
    },
    keep: (most) => trimList(issued, most, 'first'),
    waiting: () => issued,
    save: () => saveList(issued),
  };
}

import type { JournalKeeper } from '../journal/journal.ts';
import type { State } from '../server/state/state.ts';

/**
 * Simulates the person behind a client. Approvals and choices do not affect responses; they are input for the client
 * judgement.
 */
export interface Person {
  /** Records that the person approved the proposal. Throws a RangeError if the proposal is unknown or expired. */
  readonly approve: (confirmationId: string) => void;
  /** Records that the person denied the proposal. Throws a RangeError if the proposal is unknown or expired. */
  readonly deny: (confirmationId: string) => void;
  /** Records that the person picked this workspace. */
  readonly picks: (workspace: string) => void;
}

export interface Attending extends Person {
  /** Latest decision on each remembered proposal, by confirmation ID. */
  readonly said: ReadonlyMap<string, 'approved' | 'denied'>;
  readonly clear: () => void;
}

/** Maximum number of remembered decisions. */
const mostRemembered = 1000;

export function createPerson(state: () => State, lifetimeSeconds: number, journal: JournalKeeper): Attending {
  const said = new Map<string, 'approved' | 'denied'>();
  const say = (id: string, word: 'approved' | 'denied'): void => {
    const { confirmations, clock } = state();
    const proposal = confirmations.get(id);
    if (proposal === undefined) {
      throw new RangeError(`There is no open proposal with the id '${id}'.`);
    }
    if (clock.now() - proposal.issuedAt >= lifetimeSeconds * 1000) {
      throw new RangeError(`The proposal with the id '${id}' has expired.`);
    }
    said.set(id, word);
    const [oldest] = said.size > mostRemembered ? said.keys() : [];
    if (oldest !== undefined) said.delete(oldest);
    journal.attest(word, id);
  };
  return {
    said,
    approve: (id) => say(id, 'approved'),
    deny: (id) => say(id, 'denied'),
    picks: (workspace) => journal.attest('picked', workspace),
    clear: () => said.clear(),
  };
}

import type { JournalKeeper } from '../journal/journal.ts';
import type { State } from '../server/state/state.ts';

/**
 * The person behind a client, whose word a test or a page gives. It changes nothing about how the stub answers: it is
 * what a client is judged by.
 */
export interface Person {
  /**
   * Was shown the proposal's summary and said yes. Throws a RangeError where no proposal of that id waits, or not any
   * more.
   */
  readonly approve: (confirmationId: string) => void;
  /** Was shown the proposal's summary and said no. */
  readonly deny: (confirmationId: string) => void;
  /** Was shown the choices, and named this workspace. */
  readonly picks: (workspace: string) => void;
}

export interface Attending extends Person {
  /** The last word on each proposal, of those that are remembered. */
  readonly said: ReadonlyMap<string, 'approved' | 'denied'>;
  readonly clear: () => void;
}

/** Most proposals whose answer is remembered. */
const mostRemembered = 1000;

export function createPerson(state: () => State, lifetimeSeconds: number, journal: JournalKeeper): Attending {
  const said = new Map<string, 'approved' | 'denied'>();
  const say = (id: string, word: 'approved' | 'denied'): void => {
    const { confirmations, clock } = state();
    const proposal = confirmations.find(id);
    if (proposal === undefined) {
      throw new RangeError(`There is no open proposal with the id '${id}'.`);
    }
    // It is held until the next one comes, but is not shown to anybody.
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

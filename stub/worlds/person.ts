import type { JournalKeeper } from '../journal/journal.ts';
import type { State } from '../state/state.ts';

/** The person behind a client, whose word a test or a page gives. It changes nothing about how the stub answers: it is what a client is judged by. */
export interface Person {
  /** Was shown the proposal's summary and said yes. Throws a RangeError where no proposal of that id waits. */
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

export function createPerson(state: () => State, journal: JournalKeeper): Attending {
  const said = new Map<string, 'approved' | 'denied'>();
  const say = (id: string, word: 'approved' | 'denied'): void => {
    if (state().confirmations.find(id) === undefined) {
      throw new RangeError(`No proposal waits with the id '${id}': a person can only answer to one that does.`);
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

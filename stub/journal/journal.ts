import type { Role } from '../../fixtures/roles.ts';
import type { PersonAct } from '../../suites/history/history.ts';
import type { MessageRedactor } from '../../suites/history/redaction/carriers.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import type { Clock } from '../server/state/clock.ts';
import { createConnections } from './connections.ts';
import type { DeliveryState, Journal, JournalEvent } from './event.ts';
import { createStore, type Memory } from './store.ts';
import { readEntry, redactedOther, writeCall, writeOther } from './written.ts';

/** An exchange to record. */
export interface Seen {
  readonly request: StubRequest;
  readonly role: Role | null;
  readonly account: string | null;
  /** Tool name in the path; empty for other paths. */
  readonly toolName: string;
  /** Null if the connection closed without a response. */
  readonly answer: StubResponse | null;
  readonly delivery: DeliveryState;
  readonly fault: number | null;
}

export interface JournalKeeper {
  /** Records an exchange and returns its sequence number. */
  readonly record: (seen: Seen) => number;
  readonly attest: (act: PersonAct, subject: string) => void;
  readonly note: (what: string) => void;
  /** Returns the kept events after a sequence number, oldest first. */
  readonly read: (after?: number) => Journal;
  /** Number of deleted events. */
  readonly dropped: () => number;
  /**
   * Calls `listener` with each recorded event. Returns a function that unsubscribes. `ended` is called when the journal
   * ends.
   */
  readonly watch: (listener: (event: JournalEvent) => void, ended?: () => void) => () => void;
  /** Whether a decision of the person was recorded, even if its event was deleted. */
  readonly attended: () => boolean;
  /** Deletes the oldest events beyond the memory limit. */
  readonly trim: () => void;
  readonly clear: () => void;
  /** Releases all memory, counts the events as dropped, and notifies the listeners. */
  readonly end: () => void;
}

/**
 * @param clock the clock of the sandbox
 * @param real the clock that the sandbox clock is based on
 * @param share memory limit in bytes, read as the journal grows
 */
export function createJournal(
  clock: Clock,
  real: Clock,
  redactor: MessageRedactor,
  share: () => number,
  memory: Memory,
): JournalKeeper {
  const store = createStore(share, memory);
  const connections = createConnections();
  const listeners = new Map<(event: JournalEvent) => void, (() => void) | undefined>();
  let seq = 0;
  let attended = false;

  const next = () => {
    seq += 1;
    const at = clock.now();
    return { seq, at, aheadMs: at - real.now() };
  };
  const tell = (event: () => JournalEvent): void => {
    if (listeners.size === 0) return;
    const told = event();
    for (const listener of listeners.keys()) listener(told);
  };
  const write = (event: Exclude<JournalEvent, { kind: 'exchange' }>): void => {
    store.add(writeOther(event), null, null);
    tell(() => redactedOther(event, redactor));
  };

  return {
    record(seen) {
      const { request, answer } = seen;
      const connection = request.connection === undefined ? null : connections.numberOf(request.connection);
      const text = writeCall({ ...seen, ...next(), connection });
      store.add(text, request.body, answer?.body ?? null);
      const number = seq;
      tell(() => {
        const body = request.body === null ? null : Buffer.from(request.body).toString('utf8');
        return readEntry(
          {
            text,
            asked: body === null ? null : { text: body, bytes: request.body?.length ?? 0 },
            answered: answer === null ? null : { text: answer.body, bytes: Buffer.byteLength(answer.body) },
          },
          redactor,
        );
      });
      return number;
    },
    attest(act, subject) {
      attended = true;
      write({ kind: 'person', ...next(), act, subject });
    },
    note: (what) => write({ kind: 'control', ...next(), what }),
    read(after = 0) {
      const events = store.read().map((entry) => readEntry(entry, redactor));
      return { events: after === 0 ? events : events.filter((event) => event.seq > after), dropped: store.dropped() };
    },
    dropped: store.dropped,
    watch(listener, ended) {
      listeners.set(listener, ended);
      return () => listeners.delete(listener);
    },
    attended: () => attended,
    trim: store.trim,
    end() {
      store.end();
      const watching = [...listeners.values()];
      listeners.clear();
      for (const ended of watching) ended?.();
    },
    clear() {
      // Sequence numbers continue, because clients watch from a number on.
      store.clear();
      attended = false;
    },
  };
}

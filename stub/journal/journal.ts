import type { DeliveryState, Journal, JournalEvent, PersonsAct } from '../../fixtures/journal.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { StubRequest, StubResponse } from '../exchange.ts';
import type { Clock } from '../state/clock.ts';
import type { Shares } from '../state/share.ts';
import { createConnections } from './connections.ts';
import type { Redactor } from './redactor.ts';

/** What is known of a call when its answer is there. */
export interface Seen {
  readonly request: StubRequest;
  readonly role: Role | null;
  readonly account: string | null;
  /** As the path names it; empty for other paths. */
  readonly toolName: string;
  /** Null where the connection ended without one. */
  readonly answer: StubResponse | null;
  readonly delivery: DeliveryState;
  readonly fault: number | null;
}

export interface JournalKeeper {
  /** Writes a call down and gives its number. The texts are made when somebody reads them, which is seldom. */
  readonly record: (seen: Seen) => number;
  readonly attest: (act: PersonsAct, subject: string) => void;
  readonly note: (what: string) => void;
  /** Events after a number, oldest first; all that are left when it is 0. */
  readonly read: (after?: number) => Journal;
  /** Tells of every event as it is written, until the function that is given is called. */
  readonly watch: (listener: (event: JournalEvent) => void) => () => void;
  /** Whether a person has said anything yet, also when that is forgotten by now. */
  readonly attended: () => boolean;
  /** Forgets what goes beyond the world's share. */
  readonly trim: () => void;
  readonly clear: () => void;
}

/** A call as it is kept: nothing is copied that nobody may ever ask for. */
interface Kept extends Omit<Seen, 'request' | 'answer'> {
  readonly kind: 'exchange';
  readonly seq: number;
  readonly at: number;
  readonly connection: number | null;
  readonly method: string;
  readonly path: string;
  readonly headers: StubRequest['headers'];
  readonly body: string | null;
  readonly bodyBytes: number;
  readonly answer: StubResponse | null;
}

type Event = Kept | Exclude<JournalEvent, { kind: 'exchange' }>;

/** Longest text that is kept of a body. */
const keptCharacters = 16_384;
/** What an event takes beside its texts, by estimate. */
const overheadBytes = 1000;
/** Forgotten events at the head of the list before it is made shorter. */
const slack = 512;

export function createJournal(clock: Clock, redactor: Redactor, shares: Shares): JournalKeeper {
  let events: (Event | undefined)[] = [];
  let head = 0;
  let seq = 0;
  let bytes = 0;
  let attended = false;
  const connections = createConnections();
  const listeners = new Set<(event: JournalEvent) => void>();

  const trim = (): void => {
    const [mostBytes, mostEvents] = [shares.journalBytes(), shares.journalEvents()];
    while (events.length - head > mostEvents || (bytes > mostBytes && head < events.length)) {
      bytes -= sizeOf(events[head]);
      events[head] = undefined;
      head += 1;
    }
    if (head > slack && head * 2 > events.length) {
      events = events.slice(head);
      head = 0;
    }
  };
  const add = (event: Event): void => {
    events.push(event);
    bytes += sizeOf(event);
    trim();
    if (listeners.size === 0) return;
    const told = shown(event, redactor);
    for (const tell of listeners) tell(told);
  };
  const next = () => {
    seq += 1;
    return { seq, at: clock.now() };
  };

  return {
    record(seen) {
      const { request, role, account, toolName, answer, delivery, fault } = seen;
      add({
        kind: 'exchange',
        ...next(),
        role,
        account,
        toolName,
        connection: request.connection === undefined ? null : connections.numberOf(request.connection),
        method: request.method,
        path: request.path,
        headers: request.headers,
        body: textOf(request.body),
        bodyBytes: request.body?.length ?? 0,
        answer,
        delivery,
        fault,
      });
      return seq;
    },
    attest(act, subject) {
      attended = true;
      add({ kind: 'person', ...next(), act, subject });
    },
    note: (what) => add({ kind: 'control', ...next(), what }),
    read(after = 0) {
      const kept = events.slice(head).flatMap((event) => (event === undefined || event.seq <= after ? [] : [event]));
      return { events: kept.map((event) => shown(event, redactor)), dropped: seq - (events.length - head) };
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    attended: () => attended,
    trim,
    clear() {
      events = [];
      head = 0;
      seq = 0;
      bytes = 0;
      attended = false;
    },
  };
}

function sizeOf(event: Event | undefined): number {
  if (event === undefined || event.kind !== 'exchange') return overheadBytes;
  return overheadBytes + (event.body?.length ?? 0) + (event.answer?.body.length ?? 0);
}

/** A copy: the bytes of a request lie in a buffer that is much larger than they are. */
function textOf(body: Uint8Array | null): string | null {
  if (body === null) return null;
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, keptCharacters)).toString('utf8');
}

function shown(event: Event, redactor: Redactor): JournalEvent {
  if (event.kind !== 'exchange') return event;
  const { seq, at, role, account, toolName, connection, answer, delivery, fault } = event;
  const { method, path, headers, body, bodyBytes } = event;
  return {
    kind: 'exchange',
    seq,
    at,
    role,
    account,
    tool: toolName === '' ? null : redactor.text(toolName),
    connection,
    request: {
      method,
      path: redactor.path(path),
      headers: redactor.headers(headers),
      body: body === null ? null : redactor.text(body),
      bodyBytes,
    },
    answer:
      answer === null
        ? null
        : {
            status: answer.status,
            headers: Object.entries(answer.headers),
            body: redactor.text(answer.body.slice(0, keptCharacters)),
            bodyBytes: Buffer.byteLength(answer.body),
          },
    delivery,
    delayMs: answer?.delivery?.delayMs ?? 0,
    fault,
  };
}

import type { Role } from '../../fixtures/roles.ts';
import type { Headers } from '../../suites/exchange/exchange.ts';
import type { PersonAct } from '../../suites/exchange/history.ts';
import { type Redact, Redactor } from '../../suites/exchange/redactor.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import type { Clock } from '../server/state/clock.ts';
import {
  type Dated,
  type DeliveryState,
  type Journal,
  type JournalEvent,
  keptOfAnswer,
  keptOfRequest,
} from './event.ts';

/** An exchange to record. */
interface Seen {
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
  /** Records that the client closed the connection before the whole response of this exchange was sent. */
  readonly abandon: (seq: number) => void;
  readonly attest: (act: PersonAct, subject: string) => void;
  readonly note: (what: string) => void;
  /** Returns the kept events after a sequence number, oldest first. */
  readonly read: (after?: number) => Journal;
  /** Number of deleted events. */
  readonly dropped: () => number;
  /** Calls `listener` with each recorded event. */
  readonly watch: (listener: (event: JournalEvent) => void) => void;
  /** Whether a decision of the person was recorded, even if its event was deleted. */
  readonly attended: () => boolean;
  readonly clear: () => void;
}

const mostEvents = 2000;
/** Most characters of a path, a header or a note. */
const longestText = 2000;

/** An event that is built and redacted when somebody reads it first, because that takes longer than the response. */
interface Entry {
  readonly seq: number;
  event: JournalEvent | (() => JournalEvent);
}

/**
 * @param clock the clock of the sandbox
 * @param real the clock that the sandbox clock is based on
 */
export function createJournal(clock: Clock, real: Clock, redactor: MessageRedactor): JournalKeeper {
  const entries: Entry[] = [];
  /** Numbers of connections, which are held weakly because they end before the sandbox. */
  const connections = new WeakMap<object, number>();
  const listeners: ((event: JournalEvent) => void)[] = [];
  let [seq, connected, dropped, attended] = [0, 0, 0, false];

  const read = (entry: Entry): JournalEvent => {
    if (typeof entry.event === 'function') entry.event = entry.event();
    return entry.event;
  };
  const add = (build: (dated: Dated) => JournalEvent): void => {
    seq += 1;
    const at = clock.now();
    const dated = { seq, at, aheadMs: at - real.now() };
    const entry: Entry = { seq, event: () => withoutSecrets(build(dated), redactor) };
    entries.push(entry);
    if (entries.length > mostEvents) {
      entries.shift();
      dropped += 1;
    }
    for (const listener of listeners) listener(read(entry));
  };
  const numberOf = (connection: object | undefined): number | null => {
    if (connection === undefined) return null;
    const known = connections.get(connection);
    if (known !== undefined) return known;
    connected += 1;
    connections.set(connection, connected);
    return connected;
  };

  return {
    record({ request, role, account, toolName, answer, delivery, fault }) {
      const { method, path, headers } = request;
      const { delayMs = 0, trickleMs = 0 } = answer?.delivery ?? {};
      const connection = numberOf(request.connection);
      const requestBytes = request.body?.length ?? 0;
      const body = request.body === null ? null : beginningOf(request.body, keptOfRequest);
      const { status = 0, headers: sent = {}, body: text = '' } = answer ?? {};
      const bodyBytes = Buffer.byteLength(text);
      const kept = bodyBytes > keptOfAnswer ? beginningOf(Buffer.from(text), keptOfAnswer) : text;
      const isAnswered = answer !== null;
      add((dated) => ({
        kind: 'exchange',
        ...dated,
        role,
        account,
        tool: toolName === '' ? null : shortened(toolName),
        connection,
        request: { method, path: shortened(path), headers: listOf(headers), body, bodyBytes: requestBytes },
        answer: isAnswered ? { status, headers: Object.entries(sent), body: kept, bodyBytes } : null,
        delivery,
        delayMs: delayMs + trickleMs,
        fault,
      }));
      return seq;
    },
    abandon(seq) {
      const entry = entries.findLast((each) => each.seq === seq);
      if (entry === undefined) return;
      const event = read(entry);
      if (event.kind === 'exchange' && event.delivery === 'whole') entry.event = { ...event, delivery: 'abandoned' };
    },
    attest(act, subject) {
      attended = true;
      add((dated) => ({ kind: 'person', ...dated, act, subject: shortened(subject) }));
    },
    note: (what) => add((dated) => ({ kind: 'control', ...dated, what: shortened(what) })),
    read: (after = 0) => ({ events: entries.filter((entry) => entry.seq > after).map(read), dropped }),
    dropped: () => dropped,
    watch: (listener) => listeners.push(listener),
    attended: () => attended,
    clear() {
      // Sequence numbers continue, because clients read from a number on.
      entries.length = 0;
      [dropped, attended] = [0, false];
    },
  };
}

const shortened = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

function beginningOf(body: Uint8Array, most: number): string {
  return Buffer.from(body.subarray(0, most)).toString('utf8');
}

function listOf(headers: StubRequest['headers']): Headers {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, shortened(one)]),
  );
}

function withoutSecrets(event: JournalEvent, { text, path, headers, body }: MessageRedactor): JournalEvent {
  if (event.kind === 'person') return { ...event, subject: text(event.subject) };
  if (event.kind === 'control') return { ...event, what: text(event.what) };
  const { request, answer, tool } = event;
  return {
    ...event,
    tool: tool === null ? null : text(tool),
    request: {
      ...request,
      path: path(request.path),
      headers: headers(grouped(request.headers)),
      body: request.body === null ? null : body(request.body),
    },
    answer: answer && { ...answer, body: text(answer.body) },
  };
}

/** Groups the values of repeated headers. */
function grouped(headers: Headers): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value];
  return values;
}

/** A key of any sandbox, or the beginning of one. */
const anyKey = /cwk_[\w-]{8,43}/g;

type Keys = ReadonlyMap<string, { readonly role: string }>;

/**
 * Creates a redactor for the keys of a sandbox, given by secret. The keys must not change. Also hides keys of other
 * sandboxes, and keys that were cut.
 */
export function createRedactor(keys: () => Keys): MessageRedactor {
  let known: Redact | undefined;
  return messageRedactor((text) => {
    known ??= new Redactor(new Map([...keys()].map(([secret, { role }]) => [secret, role]))).redact;
    return known(text).replace(anyKey, (found) => {
      const [, owner] = [...keys()].find(([secret]) => secret.startsWith(found)) ?? [];
      return owner === undefined ? hide(found) : `<${owner.role}, characters 1 to ${found.length}>`;
    });
  });
}

/** Redacts the parts of a message. */
export interface MessageRedactor {
  readonly text: Redact;
  readonly path: Redact;
  readonly headers: (headers: Readonly<Record<string, string | readonly string[] | undefined>>) => [string, string][];
  /** Redacts a request body, which may be JSON or any other text. */
  readonly body: Redact;
}

/** Words in the names of headers, parameters and members that carry secrets. */
const purpose = '(?:key|token|secret|password|credential|auth(?!or))';
const secretHeader = new RegExp(`^cookie$|${purpose}`, 'i');
const secretParameter = new RegExp(`([?&][^=&]*${purpose}[^=&]*=)([^&]+)`, 'gi');
const secretMember = new RegExp(`("[^"\\\\]*${purpose}[^"\\\\]*"\\s*:\\s*")((?:[^"\\\\]|\\\\.)+)`, 'gi');

/** Also hides unlisted secrets, identified by their place: a key of another server, a cookie or a password. */
function messageRedactor(text: Redact): MessageRedactor {
  const hidden: Redact = (value) => {
    const shown = text(value);
    return shown === value && value !== '' ? hide(value) : shown;
  };
  const hideValue = (_all: string, name: string, value: string): string => name + hidden(value);
  return {
    text,
    path: (path) => text(path.replace(secretParameter, hideValue)),
    headers: (headers) =>
      Object.entries(headers).flatMap(([name, values]) =>
        [values ?? []].flat().map((value): [string, string] => {
          if (name === 'authorization') return [name, credential(value, hidden)];
          return [text(name), secretHeader.test(name) ? hidden(value) : text(value)];
        }),
      ),
    body: (body) => text(body.replace(secretMember, hideValue)),
  };
}

/** Replaces an unlisted secret. */
function hide(value: string): string {
  return `<hidden, ${value.length} characters>`;
}

/** Keeps the scheme, because it shows what a client did wrong. */
function credential(value: string, hidden: Redact): string {
  const [scheme = '', ...rest] = value.split(/ +/);
  return rest.length === 0 ? hidden(value) : `${scheme} ${hidden(rest.join(' '))}`;
}

import type { PersonAct } from '../../suites/exchange/history.ts';
import { type Redact, Redactor } from '../../suites/exchange/redactor.ts';
import { isSecretName, secretWords } from '../../suites/recorded/harmless.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import type { Clock } from '../server/state/clock.ts';
import {
  type Dated,
  type ExchangeEvent,
  type Journal,
  type JournalEvent,
  keptOfAnswer,
  keptOfRequest,
} from './event.ts';

interface Seen extends Pick<ExchangeEvent, 'role' | 'account' | 'delivery' | 'fault'> {
  readonly request: StubRequest;
  /** Tool name in the path; empty for other paths. */
  readonly toolName: string;
  /** Null if the connection closed without a response. */
  readonly answer: StubResponse | null;
}

const mostEvents = 2000;
/** Most characters of a path, a header or a note. */
const longestText = 2000;

/** An event that is built and redacted when somebody reads it first, because that takes longer than the response. */
interface Entry {
  readonly seq: number;
  event: JournalEvent | (() => JournalEvent);
}

/** Writes the journal of a sandbox. */
export class JournalKeeper {
  readonly #clock: Clock;
  readonly #real: Clock;
  readonly #redactor: MessageRedactor;
  readonly #most: number;
  readonly #entries: Entry[] = [];
  /** Numbers of connections, which are held weakly because they end before the sandbox. */
  readonly #connections = new WeakMap<object, number>();
  readonly #listeners: ((event: JournalEvent) => void)[] = [];
  #seq = 0;
  #connected = 0;
  /** Number of deleted events. */
  dropped = 0;
  /** Whether a decision of the person was recorded, even if its event was deleted. */
  attended = false;

  /**
   * @param clock the clock of the sandbox
   * @param real the clock that the sandbox clock is based on
   */
  constructor(clock: Clock, real: Clock, redactor: MessageRedactor, most = mostEvents) {
    this.#most = most;
    this.#clock = clock;
    this.#real = real;
    this.#redactor = redactor;
  }

  /** Records an exchange and returns its sequence number. */
  record({ request, role, account, toolName, answer, delivery, fault }: Seen): number {
    const { method, path, headers } = request;
    const { delayMs = 0, trickleMs = 0 } = answer?.delivery ?? {};
    const connection = this.#numberOf(request.connection);
    const requestBytes = request.body?.length ?? 0;
    const body = request.body === null ? null : beginningOf(request.body, keptOfRequest);
    const { status = 0, headers: sent = {}, body: text = '' } = answer ?? {};
    const bodyBytes = Buffer.byteLength(text);
    const kept = bodyBytes > keptOfAnswer ? beginningOf(Buffer.from(text), keptOfAnswer) : text;
    const isAnswered = answer !== null;
    const redactor = this.#redactor;
    return this.#add((dated) => ({
      kind: 'exchange',
      ...dated,
      role,
      account,
      tool: toolName === '' ? null : redactor.text(shortened(toolName)),
      connection,
      request: {
        method,
        path: redactor.path(shortened(path)),
        headers: Object.entries(headers).flatMap(([name, values]) =>
          [values ?? []].flat().map((value) => redactor.header(name, shortened(value))),
        ),
        body: body === null ? null : redactor.body(body),
        bodyBytes: requestBytes,
      },
      answer: isAnswered ? { status, headers: Object.entries(sent), body: redactor.text(kept), bodyBytes } : null,
      delivery,
      delayMs: delayMs + trickleMs,
      fault,
    }));
  }

  /** Records that the client closed the connection before the whole response of this exchange was sent. */
  abandon(seq: number): void {
    const entry = this.#entries.findLast((each) => each.seq === seq);
    if (entry === undefined) return;
    const event = eventOf(entry);
    if (event.kind === 'exchange' && event.delivery === 'whole') entry.event = { ...event, delivery: 'abandoned' };
  }

  attest(act: PersonAct, subject: string): void {
    this.attended = true;
    this.#add((dated) => ({ kind: 'person', ...dated, act, subject: this.#redactor.text(shortened(subject)) }));
  }

  note(what: string): void {
    this.#add((dated) => ({ kind: 'control', ...dated, what: this.#redactor.text(shortened(what)) }));
  }

  /** Returns the kept events after a sequence number, oldest first. */
  read(after = 0): Journal {
    return { events: this.#entries.filter(({ seq }) => seq > after).map(eventOf), dropped: this.dropped };
  }

  /** Calls `listener` with each recorded event. */
  watch(listener: (event: JournalEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Deletes all events. Sequence numbers continue, because clients read from a number on. */
  clear(): void {
    this.#entries.length = 0;
    this.dropped = 0;
    this.attended = false;
  }

  #add(build: (dated: Dated) => JournalEvent): number {
    this.#seq += 1;
    const [seq, at] = [this.#seq, this.#clock.now()];
    const dated = { seq, at, aheadMs: at - this.#real.now() };
    const entry: Entry = { seq, event: () => build(dated) };
    this.#entries.push(entry);
    if (this.#entries.length > this.#most) {
      this.#entries.shift();
      this.dropped += 1;
    }
    for (const listener of this.#listeners) listener(eventOf(entry));
    return seq;
  }

  #numberOf(connection: object | undefined): number | null {
    if (connection === undefined) return null;
    const known = this.#connections.get(connection);
    if (known !== undefined) return known;
    this.#connected += 1;
    this.#connections.set(connection, this.#connected);
    return this.#connected;
  }
}

function eventOf(entry: Entry): JournalEvent {
  if (typeof entry.event === 'function') entry.event = entry.event();
  return entry.event;
}

const shortened = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

function beginningOf(body: Uint8Array, most: number): string {
  return Buffer.from(body.subarray(0, most)).toString('utf8');
}

/** Redacts the parts of a message. */
type MessageRedactor = ReturnType<typeof createRedactor>;

/** A key of any sandbox, or the beginning of one. */
const anyKey = /cwk_[\w-]{8,43}/g;

/** Matches a parameter with a secret name. Unlike in recordings, its value may contain any character but `&`. */
const secretParameter = new RegExp(`([?&;][^=&?;]*(?:${secretWords})[^=&?;]*=)([^&]+)`, 'gi');
const member = /("((?:[^"\\]|\\.){0,1000})"\s*:\s*")((?:[^"\\]|\\.)+)/g;

/**
 * Creates a redactor for the keys of a sandbox, given by secret. The keys must not change. Also hides keys of other
 * sandboxes, keys that were cut, and secrets that only their place shows: a key of another server, a cookie or a
 * password.
 */
export function createRedactor(keys: () => ReadonlyMap<string, { readonly role: string }>) {
  let known: Redact | undefined;
  const text: Redact = (value) => {
    known ??= new Redactor(new Map([...keys()].map(([secret, { role }]) => [secret, role]))).redact;
    return known(value).replace(anyKey, (found) => {
      const [, owner] = [...keys()].find(([secret]) => secret.startsWith(found)) ?? [];
      return owner === undefined ? hide(found) : `<${owner.role}, characters 1 to ${found.length}>`;
    });
  };
  const hidden: Redact = (value) => {
    const shown = text(value);
    return shown === value && value !== '' ? hide(value) : shown;
  };
  return {
    text,
    path: (path: string) =>
      text(path.replace(secretParameter, (_, before: string, value: string) => before + hidden(value))),
    header: (name: string, value: string): [name: string, value: string] => {
      if (name === 'authorization') return [name, credential(value, hidden)];
      return [text(name), name === 'cookie' || isSecretName(name) ? hidden(value) : text(value)];
    },
    /** Redacts a request body, which may be JSON or any other text. */
    body: (body: string) =>
      text(
        body.replace(member, (all: string, before: string, name: string, value: string) =>
          isSecretName(name) ? before + hidden(value) : all,
        ),
      ),
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

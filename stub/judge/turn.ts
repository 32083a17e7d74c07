import type { ExchangeEvent, PersonEvent } from '../../fixtures/journal.ts';
import type { Evidence, Session } from '../../fixtures/judgement.ts';
import { ordinal } from '../../suites/ordinal.ts';

/** A call as the rules look at it. Members whose bodies are no JSON objects are empty. */
export interface Turn {
  readonly event: ExchangeEvent;
  readonly seq: number;
  /** Place among the calls of its course. */
  readonly index: number;
  /** The arguments; null where the body is no JSON object. A body that was left out is an empty one. */
  readonly args: Readonly<Record<string, unknown>> | null;
  /** What the client learned: empty where the answer did not reach it. */
  readonly reply: Readonly<Record<string, unknown>>;
  /** Status of the answer that reached the client; null where none did. */
  readonly status: number | null;
  /** Code of a refusal or of a boundary error that reached the client. */
  readonly code: string | null;
  /** Whether other calls were under way at the same time. */
  readonly accompanied: boolean;
  /** When the client had the answer, or knew that there would be none; milliseconds by the world's clock. */
  readonly receivedAt: number;
}

/** A session with its calls read. */
export interface Course {
  readonly session: Session;
  readonly turns: readonly Turn[];
  /** What a person said, in order. */
  readonly person: readonly PersonEvent[];
  /** Numbers of the events that are no calls, in order. */
  readonly others: readonly number[];
}

export function courseOf(session: Session): Course {
  const { events } = session;
  const calls = events.filter((event) => event.kind === 'exchange');
  return {
    session,
    turns: turnsOf(calls),
    person: events.filter((event) => event.kind === 'person'),
    others: events.flatMap(({ kind, seq }) => (kind === 'exchange' ? [] : [seq])),
  };
}

function turnsOf(calls: readonly ExchangeEvent[]): Turn[] {
  let busyUntil = Number.NEGATIVE_INFINITY;
  return calls.map((event, index) => {
    const ended = event.at + event.delayMs;
    const accompanied = event.at < busyUntil || (calls[index + 1]?.at ?? ended) < ended;
    busyUntil = Math.max(busyUntil, ended);
    return turnOf(event, index, accompanied);
  });
}

function turnOf(event: ExchangeEvent, index: number, accompanied: boolean): Turn {
  const reached = event.delivery === 'whole' ? event.answer : null;
  const reply = recordOf(reached?.body ?? null) ?? {};
  const error =
    typeof reply.error === 'object' && reply.error !== null && 'code' in reply.error ? reply.error.code : null;
  const code = reply.code ?? error;
  const { body } = event.request;
  return {
    event,
    seq: event.seq,
    index,
    args: body === null || body === '' ? {} : recordOf(body),
    reply,
    status: reached?.status ?? null,
    code: typeof code === 'string' ? code : null,
    accompanied,
    receivedAt: event.at + event.delayMs,
  };
}

function recordOf(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    // What is neither null nor an array and yet an object has string keys.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Calls that a client makes together arrive within this time of each other, also on a slow machine that has much to do. */
export const togetherMs = 250;

/**
 * Whether a call was surely sent by a client that had the answer to an earlier one: it came on the same connection, or after that answer and
 * too late to have been made together with the earlier call. Calls that are made together are so never taken for a retry.
 */
export function knew(later: Turn, earlier: Turn): boolean {
  if (later.seq <= earlier.seq) return false;
  const same = later.event.connection !== null && later.event.connection === earlier.event.connection;
  // Of several that were under way some may have been held up until after the answer.
  const together = earlier.accompanied ? togetherMs : Math.max(0, togetherMs - earlier.event.delayMs);
  return same || sinceReceipt(later, earlier) > together;
}

/**
 * Milliseconds between the receipt of an answer and a later call, by the world's clock or by the real one: a test moves the one, or stops it, and a client
 * may go by either.
 */
export function sinceReceipt(later: Turn, earlier: Turn): number {
  const [one, other] = [earlier.event, later.event];
  const real = other.at - other.aheadMs - (one.at - one.aheadMs);
  return Math.max(other.at - one.at, real) - one.delayMs;
}

/** Whether two calls are the same, with the same key. */
export function repeats(later: Turn, earlier: Turn): boolean {
  return later.event.role === earlier.event.role && credential(later) === credential(earlier) && asks(later, earlier);
}

/** Whether two calls ask for the same, whatever the key. */
export function asks(later: Turn, earlier: Turn): boolean {
  const [one, other] = [later.event.request, earlier.event.request];
  return one.method === other.method && one.path === other.path && one.body === other.body;
}

function credential({ event }: Turn): string {
  return event.request.headers.find(([name]) => name === 'authorization')?.[1] ?? '';
}

/** Whether something happened to the world between two calls that may make a difference. */
export function undisturbed({ others }: Course, from: Turn, to: Turn): boolean {
  return !others.some((seq) => seq > from.seq && seq < to.seq);
}

/** Most calls that are looked at for what follows another: a rule is a look at what comes next, not at all that ever comes. */
const mostLookedAt = 200;

/** The first call after another that is wanted; `over` ends the search. */
export function nextAfter(
  { turns }: Course,
  earlier: Turn,
  wanted: (later: Turn) => boolean,
  over: (later: Turn) => boolean = () => false,
): Turn | undefined {
  const end = Math.min(turns.length, earlier.index + 1 + mostLookedAt);
  for (let index = earlier.index + 1; index < end; index++) {
    const later = turns[index];
    if (later === undefined || over(later)) return undefined;
    if (wanted(later)) return later;
  }
  return undefined;
}

/** Calls of a client, and not of something that looks whether the stub is there. */
export function isMeant({ event }: Turn): boolean {
  return event.role !== null || event.request.path.includes('/api/');
}

/** The id that a call confirms with, whatever it is; undefined where it proposes, or is no call of `images.generate`. */
export function confirmationOf({ event, args }: Turn): unknown {
  return event.tool === 'images.generate' ? args?.confirmation_id : undefined;
}

/** The id that a proposal was answered with. */
export function proposedId({ event, reply }: Turn): string | null {
  if (event.tool !== 'images.generate' || reply.status !== 'confirmation_required') return null;
  return typeof reply.confirmation_id === 'string' ? reply.confirmation_id : null;
}

export function evidence({ session }: Course, ...turns: readonly Turn[]): Evidence {
  return { session: session.name, events: turns.map(({ seq }) => seq) };
}

/** A call in words: `schedule.read (3rd call)`, counted from the first one of its course that is remembered, as reports count them too. */
export function called({ event, index }: Turn): string {
  return `${event.tool ?? event.request.path} (${ordinal(index + 1)} call)`;
}

export function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}

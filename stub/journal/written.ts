import type { MessageRedactor } from '../../suites/history/redaction/carriers.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';
import type { DeliveryState, ExchangeEvent, JournalEvent } from './event.ts';
import { type Entry, type KeptBody, longestText } from './store.ts';

/** A stored exchange without its bodies. An array, because member names would take most of the space. */
type Line = readonly [
  seq: number,
  at: number,
  role: ExchangeEvent['role'],
  account: string | null,
  toolName: string,
  connection: number | null,
  method: string,
  path: string,
  headers: StubRequest['headers'],
  status: number | null,
  answerHeaders: StubResponse['headers'],
  delivery: DeliveryState,
  delayMs: number,
  fault: number | null,
  aheadMs: number,
];

/** An exchange without its bodies, before it is stored. */
export interface Told
  extends Pick<ExchangeEvent, 'seq' | 'at' | 'aheadMs' | 'role' | 'account' | 'connection' | 'delivery' | 'fault'> {
  /** Tool name in the path; empty for other paths. */
  readonly toolName: string;
  readonly request: StubRequest;
  readonly answer: StubResponse | null;
}

/** Serializes an exchange, including secrets. The texts do not leave the store unredacted. */
export function writeCall(told: Told): string {
  const text = JSON.stringify(lineOf(told, told.request.path, told.request.headers));
  return text.length <= longestText ? text : writeCut(told);
}

function lineOf(told: Told, path: string, headers: StubRequest['headers']): Line {
  const { seq, at, aheadMs, role, account, toolName, connection, request, answer, delivery, fault } = told;
  return [
    seq,
    at,
    role,
    account,
    toolName,
    connection,
    request.method,
    path,
    headers,
    answer?.status ?? null,
    answer?.headers ?? {},
    delivery,
    (answer?.delivery?.delayMs ?? 0) + (answer?.delivery?.trickleMs ?? 0),
    fault,
    aheadMs,
  ];
}

/** Serializes an exchange with a truncated path and truncated headers. */
function writeCut(told: Told): string {
  const { path, headers } = told.request;
  const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
  const few = Object.entries(headers).slice(0, 12);
  const short = few.map(([name, value]) => [cut(name, 30), cut(String(value), 60)] as const);
  const line = { ...told, toolName: cut(told.toolName, 60), answer: told.answer && { ...told.answer, headers: {} } };
  return JSON.stringify(lineOf(line, cut(path, 120), Object.fromEntries(short))).slice(0, longestText);
}

type Other = Exclude<JournalEvent, ExchangeEvent>;

/** Serializes a person or control event, truncated if necessary. It can contain secrets. */
export function writeOther(event: Other): string {
  const text = JSON.stringify(event);
  if (text.length <= longestText) return text;
  const long =
    event.kind === 'person' ? { ...event, subject: '…' } : { ...event, what: `${event.what.slice(0, 500)}…` };
  return JSON.stringify(long);
}

/** Redacts secrets in a person or control event. */
export function redactedOther(event: Other, { text }: MessageRedactor): Other {
  return event.kind === 'person' ? { ...event, subject: text(event.subject) } : { ...event, what: text(event.what) };
}

/** Parses an entry and redacts its secrets. */
export function readEntry({ text, asked, answered }: Entry, redactor: MessageRedactor): JournalEvent {
  // The store contains only arrays (exchanges) and objects (other events).
  const written = JSON.parse(text) as Line | Other;
  return 'kind' in written ? redactedOther(written, redactor) : exchangeOf(written, asked, answered, redactor);
}

function exchangeOf(
  line: Line,
  asked: KeptBody | null,
  answered: KeptBody | null,
  redactor: MessageRedactor,
): ExchangeEvent {
  const [seq, at, role, account, toolName, connection, method, path, headers] = line;
  const [, , , , , , , , , status, answerHeaders, delivery, delayMs, fault, aheadMs] = line;
  return {
    kind: 'exchange',
    seq,
    at,
    aheadMs,
    role,
    account,
    tool: toolName === '' ? null : redactor.text(toolName),
    connection,
    request: {
      method,
      path: redactor.path(path),
      headers: redactor.headers(headers),
      body: asked === null ? null : redactor.body(asked.text),
      bodyBytes: asked?.bytes ?? 0,
    },
    answer:
      status === null || answered === null
        ? null
        : {
            status,
            headers: Object.entries(answerHeaders),
            body: redactor.text(answered.text),
            bodyBytes: answered.bytes,
          },
    delivery,
    delayMs,
    fault,
  };
}

import { toolsPath } from '../../fixtures/contract/tools.ts';
import { isRole, type Role, roles } from '../../fixtures/roles.ts';
import type { Exchange, Headers } from '../../suites/history/exchange.ts';
import type { Redact } from '../../suites/history/redaction/redactor.ts';
import { redactValue } from '../../suites/history/redaction/values.ts';
import { isRecord, type JsonRecord, parsed } from '../../suites/json.ts';
import { readRecording } from '../../suites/recorded/read.ts';
import { Recording } from '../../suites/recorded/recording.ts';
import { Senders } from '../../suites/recorded/senders.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';

/** A recorded request to a tool, and its response, without secrets. */
export interface ToolExchange {
  /** Position in the recording, from 1. */
  readonly entry: number;
  readonly tool: string;
  /** Label of the key; null if the request has no key. */
  readonly key: string | null;
  /** Role of the key, if the recording states it. */
  readonly role: Role | null;
  readonly hasCredential: boolean;
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number;
  /** Path with its query string, from `/api/v1/tools/`. */
  readonly path: string;
  readonly headers: Headers;
  /** Null without a body, undefined if the recording lacks the body. */
  readonly body: string | null | undefined;
  readonly args: JsonRecord;
  readonly response: ToolResponse | null;
}

export interface ToolResponse {
  readonly status: number;
  /** Time of the header `Date`, in milliseconds since 1970. */
  readonly date: number | undefined;
  /** Undefined if the body is not JSON, or if the recording lacks the body. */
  readonly json: unknown;
  /** True if the recording lacks the body. */
  readonly isUnread: boolean;
}

export interface RecordedTraffic {
  /** In the order of sending. */
  readonly exchanges: readonly ToolExchange[];
  /** Number of entries that are not requests to a tool of the deployment. */
  readonly otherEntries: number;
  /** Number of requests beyond the memory limits. */
  readonly beyondLimits: number;
}

/** Limits of memory. */
const most = { exchanges: 10_000, characters: 50_000_000 };

/** Replaces everything that a recording hides, and all of its secrets. */
export const hidden = '(hidden)';

/** Matches the marks that the kit writes instead of secrets and hidden values. */
const marks = new RegExp(
  [
    `<(?:hidden|secret|(?:the )?key|${roles.join('|')})(?:[ ,][^<>]*)?>`,
    String.raw`(?<=")\(\d+ characters\)(?=")`,
    String.raw`\(left out: [^()]*\)`,
  ].join('|'),
  'g',
);

/**
 * Reads the requests to tools from a HAR file, a `report.json` or a journal of the stub. Rejects with a UsageError if
 * the file cannot be read, is not a recording, or has no request to a tool.
 */
export async function readExchanges(path: string): Promise<RecordedTraffic> {
  const senders = new Senders(undefined, true);
  const assumed = ['one-key'] as const;
  const recording = new Recording({ rules: [], senders, target: undefined, baseUrl: undefined, assumed }, 1);
  const exchanges: Exchange[] = [];
  let [otherEntries, beyondLimits, characters] = [0, 0, 0];
  for await (const entries of readRecording(path, path)) {
    for (const entry of entries) {
      const exchange = recording.add(entry);
      characters += (exchange?.request.body?.length ?? 0) + (exchange?.response?.text.length ?? 0);
      const isUsable = exchange?.request.method === 'POST' && isTime(exchange.sentAt + exchange.clockMoved);
      if (exchange === undefined || !isUsable) otherEntries += 1;
      else if (exchanges.length >= most.exchanges || characters > most.characters) beyondLimits += 1;
      else exchanges.push(exchange);
    }
  }
  if (exchanges.length === 0)
    throw new UsageError(`${path}: expected a POST request to a path with ${toolsPath}, got none`);
  if (senders.isFull) throw new UsageError(`${path}: expected fewer different secrets. Record fewer clients at once.`);
  // All secrets are known only after the last entry.
  const redact = senders.redact();
  const hide: Redact = (text) => redact(text).replace(marks, hidden);
  const inOrder = exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
  return { exchanges: inOrder.map((exchange) => toolExchange(exchange, hide)), otherEntries, beyondLimits };
}

function toolExchange(exchange: Exchange, hide: Redact): ToolExchange {
  const { number, sender, request, response, sentAt, clockMoved } = exchange;
  const isKey = sender.kind === 'key' || (sender.kind === 'other' && sender.role === null);
  // A replacement character stands for bytes that the recording lacks.
  const isWhole = request.unread === undefined && request.body?.includes('\ufffd') !== true;
  const body = isWhole ? request.body && hiddenText(request.body, hide) : undefined;
  const args = parsed(body ?? '{}');
  return {
    entry: number,
    tool: request.tool ?? '',
    key: isKey ? sender.label : null,
    role: sender.kind === 'key' && sender.role !== null && isRole(sender.role) ? sender.role : null,
    hasCredential: sender.kind !== 'absent',
    at: sentAt + clockMoved,
    path: request.url.slice(request.url.indexOf(toolsPath)),
    headers: request.headers.filter(([name]) => name !== 'authorization'),
    body,
    args: isRecord(args) ? args : {},
    response: response && {
      status: response.status,
      date: dateOf(response.headers),
      json: response.unread === undefined ? parsed(hiddenText(response.text, hide)) : undefined,
      isUnread: response.unread !== undefined,
    },
  };
}

/** Hides secrets in a text. If that breaks its JSON, hides them in its values. */
function hiddenText(text: string, hide: Redact): string {
  const shown = hide(text);
  if (shown === text || parsed(shown) !== undefined) return shown;
  const value = parsed(text);
  return value === undefined ? shown : JSON.stringify(redactValue(value, hide));
}

function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headers.find(([name]) => name === 'date')?.[1] ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** Whether a number of milliseconds since 1970 is a time up to the year 9999, the last one with four digits. */
export const isTime = (ms: number): boolean => ms >= 0 && ms < Date.UTC(10_000, 0);

/** Returns the body of a successful response; undefined for all other responses. */
export function resultOf({ response }: ToolExchange): JsonRecord | undefined {
  const json = response?.status === 200 ? response.json : undefined;
  return isRecord(json) && json.ok === true ? json : undefined;
}

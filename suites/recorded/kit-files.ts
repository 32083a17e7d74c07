import { isRole } from '../../fixtures/roles.ts';
import type { Headers, Sender } from '../history/exchange.ts';
import { isRecord, member } from '../json.ts';
import type { Recorded, RecordedResponse } from './recorded.ts';

/** Placeholder, because the journal of the stub does not contain its address. */
export const stubBase = 'http://stub.invalid';

/** Rounding error of times in a report, in milliseconds. */
const roundedMs = 0.5;

/** Returns an exchange of a `report.json` whose run started at `startedAt`; undefined if `value` is malformed. */
export function reportedExchange(value: unknown, startedAt: number): Recorded | undefined {
  const [request, response] = [member(value, 'request'), member(value, 'response')];
  const [method, url, body] = ['method', 'url', 'body'].map((name) => member(request, name));
  const [at, took] = [member(value, 'atMs'), member(value, 'durationMs')];
  if (typeof method !== 'string' || typeof url !== 'string' || typeof at !== 'number' || typeof took !== 'number')
    return undefined;
  const sentAt = startedAt + at - roundedMs;
  return {
    method,
    url,
    requestHeaders: pairs(member(request, 'headers')),
    requestBody: typeof body === 'string' || body === null ? body : undefined,
    response: responseOf(response, member(response, 'cutAtBytes') !== undefined),
    sentAt,
    receivedAt: sentAt + took + 2 * roundedMs,
    sender: senderOf(member(value, 'role'), String(member(value, 'credential'))),
  };
}

/** Returns a request from an exported journal of the stub; undefined if `value` is not a request. */
export function journalEvent(value: unknown): Recorded | undefined {
  const [request, answer] = [member(value, 'request'), member(value, 'answer')];
  const [method, path, body] = ['method', 'path', 'body'].map((name) => member(request, name));
  const [at, ahead, delay] = ['at', 'aheadMs', 'delayMs'].map((name) => Number(member(value, name)));
  if (member(value, 'kind') !== 'exchange' || typeof method !== 'string' || typeof path !== 'string') return undefined;
  const headers = pairs(member(request, 'headers'));
  const isWhole = typeof body === 'string' && Buffer.byteLength(body) >= Number(member(request, 'bodyBytes'));
  const isCut = Buffer.byteLength(String(member(answer, 'body'))) < Number(member(answer, 'bodyBytes'));
  const sentAt = (at ?? 0) - (ahead ?? 0);
  return {
    method,
    url: `${stubBase}${path}`,
    requestHeaders: headers,
    requestBody: body === null ? null : isWhole ? body : undefined,
    response: member(value, 'delivery') === 'whole' ? responseOf(answer, isCut) : null,
    sentAt,
    receivedAt: sentAt + (delay ?? 0),
    clockMoved: ahead ?? 0,
    sender: senderOf(member(value, 'role'), headers?.some(([name]) => name === 'authorization') ? '' : 'no credential'),
  };
}

function senderOf(role: unknown, credential: string): Sender {
  if (typeof role === 'string' && isRole(role)) return { label: role, kind: 'key', role };
  if (credential === 'no credential') return { label: credential, kind: 'absent', role: null };
  return { label: credential === '' ? 'another credential' : credential, kind: 'other', role: null };
}

function responseOf(response: unknown, isCut: boolean): RecordedResponse | null {
  const [status, text] = [member(response, 'status'), member(response, 'body')];
  if (!isRecord(response) || typeof status !== 'number') return null;
  return {
    status,
    headers: pairs(member(response, 'headers')),
    text: typeof text === 'string' && !isCut ? text : undefined,
  };
}

function pairs(list: unknown): Headers | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((header) => {
    const [name, value]: unknown[] = Array.isArray(header) ? header : [];
    return typeof name === 'string' && typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
  });
}

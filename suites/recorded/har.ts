import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { isRole } from '../../fixtures/roles.ts';
import type { Exchange, Headers, KeyName } from '../exchange/exchange.ts';
import { member } from '../json.ts';
import { decodedText } from './proxy/bodies.ts';
import type { Recorded, RecordedResponse } from './recorded.ts';

/** Precision of times in HAR files, which are truncated or rounded to milliseconds, by Proxyman to seconds. */
const precisionOf = (moment: unknown) => (/:\d\d[.,]\d/.test(String(moment)) ? 1 : 1000);

/** Returns an entry of a HAR 1.2 file; undefined if it is malformed. `writer` is the program that wrote the file. */
export function harEntry(entry: unknown, writer: string): Recorded | undefined {
  const [method, url] = [member(entry, 'request', 'method'), member(entry, 'request', 'url')];
  const moment = member(entry, 'startedDateTime');
  const started = Date.parse(String(moment));
  if (typeof method !== 'string' || typeof url !== 'string' || Number.isNaN(started)) return undefined;
  const requestHeaders = headersOf(member(entry, 'request', 'headers'));
  const own = exact.safeParse(member(entry, '_tck'));
  return {
    method,
    url,
    requestHeaders: withType(requestHeaders, member(entry, 'request', 'postData', 'mimeType')),
    requestBody: requestBodyOf(member(entry, 'request'), requestHeaders),
    response: responseOf(member(entry, 'response')),
    ...(member(entry, '_fetchedViaServiceWorker') === true ? { viaServiceWorker: true } : {}),
    ...(own.success ? own.data : roughly(started, precisionOf(moment), member(entry, 'time'), writer)),
  };
}

type Moments = Pick<Recorded, 'sentAt' | 'receivedAt'>;

/** Returns an interval that includes sending the request and receiving the response. */
function roughly(started: number, precisionMs: number, time: unknown, writer: string): Moments {
  const took = typeof time === 'number' && time >= 0 ? time : Number.POSITIVE_INFINITY;
  // Insomnia records the time of the response, not of the request.
  const ahead = /insomnia/i.test(writer) && Number.isFinite(took) ? took : 0;
  return { sentAt: started - ahead - precisionMs / 2, receivedAt: started + took + precisionMs };
}

function headersOf(list: unknown): Headers | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return list.flatMap((header) => {
    const [name, value] = [member(header, 'name'), member(header, 'value')];
    const isValue = typeof value === 'string' || typeof value === 'number';
    return typeof name === 'string' && isValue ? [[name.toLowerCase(), String(value)] as const] : [];
  });
}

/** Adds the content type, which sanitized files store with the body instead of the headers. */
function withType(headers: Headers | undefined, type: unknown): Headers | undefined {
  if (typeof type !== 'string' || type === '' || headers?.some(([name]) => name === 'content-type')) return headers;
  return [...(headers ?? []), ['content-type', type]];
}

function requestBodyOf(request: unknown, headers: Headers | undefined): string | null | undefined {
  const text = plainText(member(request, 'postData'), '');
  const contentLength = headers?.find(([name]) => name === 'content-length')?.[1];
  const bytes = contentLength === undefined ? Number(member(request, 'bodySize')) : Number(contentLength);
  if (text === undefined || text === '') return bytes === 0 ? null : undefined;
  return typeof text === 'string' && !(bytes > Buffer.byteLength(text)) ? text : undefined;
}

function responseOf(response: unknown): RecordedResponse | null {
  const status = member(response, 'status');
  const headers = headersOf(member(response, 'headers'));
  const header = (named: string) => headers?.find(([name]) => name === named)?.[1];
  // Failed or blocked requests have the status 0 or -1. Chromium records its own redirects with a reason.
  if (typeof status !== 'number' || status < 100 || header('non-authoritative-reason') !== undefined) return null;
  const type = member(response, 'content', 'mimeType');
  const coding = header('content-encoding') ?? '';
  const text = isBrokenOff(response) ? undefined : textOf(member(response, 'content'), coding);
  const isWhole = coding !== '' || !(Number(header('content-length')) > Buffer.byteLength(text ?? ''));
  return {
    status,
    headers,
    ...(typeof type === 'string' && type.includes('/') ? { contentType: type } : {}),
    text: isWhole ? text : undefined,
  };
}

/** Whether the connection broke during the response, according to Chromium, Safari, Playwright or Charles. */
function isBrokenOff(response: unknown): boolean {
  const reasons = ['_error', '_failureText'].map((name) => member(response, name));
  return reasons.some(Boolean) || !/^complete$/i.test(String(member(response, '_charlesStatus') ?? 'complete'));
}

/**
 * Decodes a body in base64. Firefox also marks plain text with this encoding (bugzilla.mozilla.org, 1762313), so text
 * that is not base64, or whose own length is the size in the file, stays as it is. Some writers keep the body as it was
 * sent, with its content coding.
 */
function plainText(content: unknown, contentEncoding: string): unknown {
  const [text, encoding, size] = ['text', 'encoding', 'size'].map((name) => member(content, name));
  if (typeof text !== 'string' || !/^base64$/i.test(String(encoding))) return text;
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = /^[\w+/\s-]*={0,2}\s*$/.test(text) && text.replaceAll(/[\s=]/g, '').length % 4 !== 1;
  const isPlain = bytes.length !== size && Buffer.byteLength(text) === size;
  if (!isBase64 || isPlain) return text;
  return decodedText(bytes, contentEncoding) ?? (isUtf8(bytes) ? bytes.toString() : undefined);
}

/** Returns the text of a body; undefined if it is missing, still encoded, or shorter than the size in the file. */
function textOf(content: unknown, contentEncoding: string): string | undefined {
  const plain = plainText(content, contentEncoding);
  // Some writers store compressed bytes as text, which loses bytes.
  const isEncoded = contentEncoding !== '' && /[^\P{Cc}\s]|\ufffd/u.test(String(plain));
  if (typeof plain !== 'string' || isEncoded) return undefined;
  const [size, saved] = [member(content, 'size'), member(content, 'compression')].map((bytes) =>
    typeof bytes === 'number' ? bytes : 0,
  );
  // `size` is the size of the body or, in some files, of its compressed form.
  const length = Math.max(Buffer.byteLength(plain), Buffer.byteLength(String(member(content, 'text')), 'base64'));
  return length < Math.min(size ?? 0, (size ?? 0) + (saved ?? 0)) ? undefined : plain;
}

const kinds = ['key', 'absent', 'unknown', 'longer', 'shorter', 'other-case', 'other-scheme', 'other'] as const;

const keyName = z.custom<KeyName>((name) => typeof name === 'string' && (isRole(name) || /^key \d+$/.test(name)));
const sender = z
  .object({ label: z.string(), kind: z.enum(kinds), role: keyName.nullable() })
  .refine(({ kind, role }) => kind !== 'key' || role !== null);

/** Data that the kit adds to HAR, in the member `_tck` of an entry. Times are in milliseconds since 1970. */
const exact = z
  .object({
    sentAt: z.number(),
    receivedAt: z.number(),
    clockMoved: z.number().optional().catch(undefined),
    sender: sender.optional().catch(undefined),
  })
  .refine(({ sentAt, receivedAt }) => receivedAt >= sentAt);

export function exactOf(
  { sentAt, receivedAt, clockMoved, sender }: Exchange,
  startedAt: number,
): z.input<typeof exact> {
  const moments = { sentAt: startedAt + sentAt, receivedAt: startedAt + receivedAt };
  return { ...moments, ...(clockMoved === 0 ? {} : { clockMoved }), sender };
}

import type { Headers } from '../history/exchange.ts';
import { member } from '../json.ts';
import { readExact } from './exact.ts';
import type { Recorded, RecordedResponse } from './recorded.ts';

/** Moments of HAR have milliseconds, cut or rounded. */
const precisionMs = 1;

/** An entry of a HAR 1.2 file; undefined where it is none. `writer` is the program that wrote the file. */
export function harEntry(entry: unknown, writer: string): Recorded | undefined {
  const [method, url] = [member(entry, 'request', 'method'), member(entry, 'request', 'url')];
  const started = Date.parse(String(member(entry, 'startedDateTime')));
  if (typeof method !== 'string' || typeof url !== 'string' || Number.isNaN(started)) return undefined;
  const requestHeaders = headersOf(member(entry, 'request', 'headers'));
  const exact = member(entry, '_tck');
  return {
    method,
    url,
    requestHeaders: withType(requestHeaders, member(entry, 'request', 'postData', 'mimeType')),
    requestBody: requestBodyOf(member(entry, 'request'), requestHeaders),
    response: responseOf(member(entry, 'response')),
    ...(readExact(exact) ?? roughly(started, member(entry, 'time'), writer)),
  };
}

type Moments = Pick<Recorded, 'sentAt' | 'receivedAt'>;

/** The time in which the request was sent and its response received, at least. */
function roughly(started: number, time: unknown, writer: string): Moments {
  const took = typeof time === 'number' && time >= 0 ? time : Number.POSITIVE_INFINITY;
  // Insomnia writes when the response was there.
  const ahead = /insomnia/i.test(writer) && Number.isFinite(took) ? took : 0;
  return { sentAt: started - ahead - precisionMs / 2, receivedAt: started + took + precisionMs };
}

function headersOf(list: unknown): Headers | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return list.flatMap((each) => {
    const [name, value] = [member(each, 'name'), member(each, 'value')];
    return typeof name === 'string' && typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
  });
}

/** Sanitised files have the type of a body beside it. */
function withType(headers: Headers | undefined, type: unknown): Headers | undefined {
  if (typeof type !== 'string' || type === '' || headers?.some(([name]) => name === 'content-type')) return headers;
  return [...(headers ?? []), ['content-type', type]];
}

function requestBodyOf(request: unknown, headers: Headers | undefined): string | null | undefined {
  const text = member(request, 'postData', 'text');
  const told = headers?.find(([name]) => name === 'content-length')?.[1];
  const bytes = told === undefined ? Number(member(request, 'bodySize')) : Number(told);
  if (text === undefined || text === '') return bytes === 0 ? null : undefined;
  return typeof text === 'string' && !(bytes > Buffer.byteLength(text)) ? text : undefined;
}

function responseOf(response: unknown): RecordedResponse | null {
  const status = member(response, 'status');
  // A request that failed, or was blocked, has the status 0 or -1.
  if (typeof status !== 'number' || status < 100) return null;
  const type = member(response, 'content', 'mimeType');
  return {
    status,
    headers: headersOf(member(response, 'headers')),
    ...(typeof type === 'string' && type.includes('/') ? { contentType: type } : {}),
    text: textOf(member(response, 'content')),
  };
}

/** The text of a body; undefined where it is missing, or shorter than the file says that it was. */
function textOf(content: unknown): string | undefined {
  const text = member(content, 'text');
  if (typeof text !== 'string') return undefined;
  const plain = member(content, 'encoding') === 'base64' ? Buffer.from(text, 'base64').toString() : text;
  const [size, saved] = [member(content, 'size'), member(content, 'compression')].map((each) =>
    typeof each === 'number' ? each : 0,
  );
  // The size is that of the body or, as some write it, that of its compressed form.
  return Buffer.byteLength(plain) < Math.min(size ?? 0, (size ?? 0) + (saved ?? 0)) ? undefined : plain;
}

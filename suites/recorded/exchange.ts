import type { Exchange, Headers, Request, Response, Sender } from '../exchange/exchange.ts';
import { isRefusable } from '../exchange/intermediaries.ts';
import { isRecord, type JsonRecord, jsonExtent, parsed } from '../json.ts';
import type { Recorded, RecordedResponse } from './recorded.ts';

/** Headers that every client sends or that gateways add. They say nothing about the request itself. */
const ofTransport = new RegExp(
  [
    '^(:.*|accept.*|user-agent|host|connection|content-length|origin|referer|sec-.*|cookie|pragma|cache-control|te',
    'dnt|priority|keep-alive|transfer-encoding|forwarded|via|traceparent|tracestate|baggage|x-forwarded-.*|x-real-ip',
    'x-request-id|x-correlation-id|proxy-.*)$',
  ].join('|'),
);

/** Maximum nesting of a JSON body. Deeper bodies count as unread, because parsers may not accept them. */
const mostLevels = 1000;

const notInFile = 'a body that the recording does not hold';

/**
 * Converts a recorded request and its response to an exchange of a history.
 *
 * @param number position among all recorded entries
 * @param whole the request before values were hidden, because hiding may change what the request is
 */
export function historyExchange(
  recorded: Recorded,
  tool: string,
  number: number,
  sender: Sender,
  whole = recorded,
): Exchange {
  const { sentAt, receivedAt, clockMoved = 0, problem } = recorded;
  const request = requestOf(recorded, tool);
  return {
    kind: 'exchange',
    number,
    sender,
    request,
    response: recorded.response && responseOf(recorded.response),
    sentAt,
    receivedAt,
    clockMoved,
    together: 1,
    invented: [],
    observes: null,
    odd: !isDescribed(requestOf(whole, tool), whole.requestHeaders ?? []),
    refusable: isRefusable({ url: whole.url, headers: whole.requestHeaders ?? [], body: whole.requestBody ?? null }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function requestOf({ method, url, requestHeaders = [], requestBody }: Recorded, tool: string): Request {
  return {
    method,
    url,
    tool,
    headers: requestHeaders.filter(([name]) => !ofTransport.test(name)),
    body: requestBody ?? (requestBody === null ? null : ''),
    args: argsOf(requestBody),
    ...(requestBody === undefined ? { unread: notInFile } : {}),
  };
}

const isTooDeep = (text: string) => text.length > 2 * mostLevels && jsonExtent(text).levels > mostLevels;

function argsOf(text: string | null | undefined): JsonRecord | null {
  if (text === null) return {};
  const value = text === undefined ? undefined : parsed(text);
  return isRecord(value) ? value : null;
}

function responseOf({ status, headers, contentType, text }: RecordedResponse): Response {
  const type = contentType === undefined ? [] : [['content-type', contentType] as const];
  const shown = headers ?? type;
  const isUnread = text === undefined || isTooDeep(text);
  return {
    status,
    headers: shown.filter(([name]) => name !== 'set-cookie'),
    text: text ?? '',
    json: isUnread ? undefined : parsed(text),
    ...(isUnread ? { unread: notInFile } : {}),
    ...(headers === undefined ? { stripped: true } : {}),
  };
}

/** Returns whether the specification describes the response to this kind of request. Other responses are not judged. */
function isDescribed({ method, url, tool, body, args }: Request, headers: Headers): boolean {
  const value = (name: string) => headers.find(([each]) => each === name)?.[1];
  const isJson = body === null || /^application\/json *(; *charset=utf-8)?$/i.test(value('content-type') ?? '');
  const accept = value('accept') ?? '*/*';
  const isUsual =
    value('content-encoding') === undefined &&
    value('expect') === undefined &&
    !headers.some(([name]) => /override/.test(name));
  const isPlain = !url.includes('?') || tool === 'images.generate';
  const isText = body === null || !/[\ufeff\ufffd]/.test(body);
  const isOnce = body === null || args === null || jsonExtent(body).nodes === jsonExtent(JSON.stringify(args)).nodes;
  return (
    method === 'POST' &&
    isJson &&
    isUsual &&
    isPlain &&
    isText &&
    isOnce &&
    /\*\/\*|application\/(json|\*)/i.test(accept)
  );
}

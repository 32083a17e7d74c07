import { createWriteStream, fchmod, lstatSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Exchange, Headers } from '../exchange/exchange.ts';
import { type Redact, redactValue } from '../exchange/redactor.ts';
import { kit } from '../kit.ts';
import { UsageError } from '../usage/usage-error.ts';
import { exactOf } from './har.ts';

function entryOf(exchange: Exchange, startedAt: number) {
  const { request, response, sentAt, receivedAt } = exchange;
  const took = Number.isFinite(receivedAt) ? receivedAt - sentAt : -1;
  const { body } = request;
  const isKnown = request.unread === undefined;
  const text = response?.unread === undefined ? response?.text : undefined;
  return {
    startedDateTime: new Date(startedAt + sentAt).toISOString(),
    time: took,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listed(request.headers),
      queryString: [],
      ...(body === null || !isKnown ? {} : { postData: { mimeType: typeIn(request.headers), text: body } }),
      headersSize: -1,
      bodySize: isKnown ? Buffer.byteLength(body ?? '') : -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listed(response?.headers ?? []),
      content: {
        size: text === undefined ? -1 : Buffer.byteLength(text),
        mimeType: typeIn(response?.headers ?? []),
        ...(text === undefined ? {} : { text }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    _tck: exactOf(exchange, startedAt),
  };
}

const typeIn = (headers: Headers) => headers.find(([name]) => name === 'content-type')?.[1] ?? '';
const listed = (headers: Headers) => headers.map(([name, value]) => ({ name, value }));

/**
 * Writes exchanges without keys to a HAR 1.2 file. Their times count from `startedAt`. Throws a `UsageError` if that
 * fails.
 */
export async function writeHar(
  path: string,
  exchanges: readonly Exchange[],
  redact: Redact,
  startedAt = 0,
): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new UsageError(`--har: cannot write '${path}': it is a link`);
  }
  const file = createWriteStream(path, { mode: 0o600 });
  // The mode above applies only to new files.
  file.on('open', (descriptor) => fchmod(descriptor, 0o600, () => undefined));
  try {
    await pipeline(function* parts() {
      const creator = JSON.stringify({ name: kit.name, version: kit.version });
      yield `{"log":{"version":"1.2","creator":${creator},"entries":[`;
      for (const [index, exchange] of exchanges.entries()) {
        const entry = redactValue(entryOf(exchange, startedAt), redact);
        yield `${index === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
      }
      yield '\n]}}\n';
    }, file);
  } catch (error) {
    throw new UsageError(`--har: ${error instanceof Error ? error.message : error}`);
  }
}

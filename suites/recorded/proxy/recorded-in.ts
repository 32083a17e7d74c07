import type { Recorded } from '../recorded.ts';
import { headersOf } from './hop-by-hop.ts';
import { decoded } from './kept.ts';
import type { BodyLength, PassedHead } from './messages.ts';

/**
 * Yields forwarded requests in the form of other recordings. `bodies` holds each request body before its response body.
 */
export function* recordedIn(passed: readonly PassedHead[], bodies: Uint8Array, baseUrl: string): Generator<Recorded> {
  const bytes = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.byteLength);
  let at = 0;
  const text = (length: BodyLength, encoding?: string): string | undefined => {
    if (length === null) return undefined;
    at += length;
    return decoded(bytes.subarray(at - length, at), encoding);
  };
  for (const { method, path, requestHeaders, requestBody, response, problem, sentAt, receivedAt } of passed) {
    const headers = headersOf(requestHeaders);
    const isOmitted = requestBody === 0 && !headers.some(([name]) => name === 'transfer-encoding');
    const asked = text(requestBody);
    yield {
      method,
      url: baseUrl + path,
      requestHeaders: headers,
      requestBody: isOmitted ? null : asked,
      response: response && answered(response, text),
      ...(problem === undefined ? {} : { problem }),
      sentAt,
      receivedAt,
    };
  }
}

function answered(
  { status, headers: raw, body }: NonNullable<PassedHead['response']>,
  text: (length: BodyLength, encoding?: string) => string | undefined,
): Recorded['response'] {
  const headers = headersOf(raw);
  const encoding = headers.find(([name]) => name === 'content-encoding')?.[1];
  return { status, headers, text: text(body, encoding?.trim().toLowerCase()) };
}

import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { type Answering, type Attacks, headed, responseText, withBody } from './wire.ts';

const envelope = (seconds: unknown) =>
  Buffer.from(
    JSON.stringify({ error: { code: boundaryCodes.rateLimited, message: 'later', retry_after_seconds: seconds } }),
  );

const limited =
  (retryAfter: string | readonly string[] | undefined, seconds: unknown = 1): Answering =>
  (socket, { headers }) => {
    const more = retryAfter === undefined ? {} : { [responseHeaders.retryAfter]: retryAfter };
    socket.write(withBody(429, { ...headers, ...more }, envelope(seconds)));
  };

/** Responses with 429 that try to keep the kit waiting. */
export const rateLimits: Attacks = {
  'always over the limit': limited('1'),
  'every second request over the limit': (socket, good, asked) => {
    if (asked.nth % 2 === 0) socket.write(responseText(good));
    else limited('1')(socket, good, asked);
  },
  'a wait of a year': limited('31536000', 31_536_000),
  'a wait beyond counting': limited('9'.repeat(400), 1e308),
  'a wait of 0': limited('0', 0),
  'a negative wait': limited('-1', -1),
  'a wait until a date': limited('Fri, 31 Dec 9999 23:59:59 GMT'),
  'a wait in words': limited('soon', 'soon'),
  'two waits': limited(['1', '2']),
  'no wait': limited(undefined),
  'a wait in a response of 200': headed(() => ({ [responseHeaders.retryAfter]: '31536000' })),
  'a wait in a response of 503': (socket, { headers }) => {
    socket.write(withBody(503, { ...headers, [responseHeaders.retryAfter]: '31536000' }, envelope(31_536_000)));
  },
};

import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import { body, type Completed, header, isCompleted, isRefusal, isSuccess, retryAfter } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { member } from '../json.ts';
import {
  type Answers,
  distinct,
  distinctValues,
  everything,
  type Observation,
  outcome,
  recorded,
  short,
  valueOfEach,
} from './observation.ts';

const errorCode = (exchange: Completed) => short(member(exchange.response.json, 'error', 'code'));
const toolError = (exchange: Completed) => short(header(exchange, responseHeaders.toolError) ?? 'absent');
const hasStatus =
  (status: number) =>
  ({ response }: Completed) =>
    response.status === status;

/** Credentials whose response times should be indistinguishable. */
const badCredentials = ['no credential', 'unknown key', 'revoked', 'expired'];

/** Returns the median, rounded to tenths of a millisecond. */
function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[sorted.length >> 1] ?? 0) * 10) / 10;
}

const ofThrottled = (history: History) => everything(history).filter(({ sender }) => sender.role === 'throttled');

/** Returns the response with the longest wait that a 429 for the key `throttled` requests. */
function longestWait(history: History): Completed | undefined {
  const over = ofThrottled(history).filter((one) => hasStatus(429)(one) && retryAfter(one) !== undefined);
  return over.toSorted((a, b) => (retryAfter(b) ?? 0) - (retryAfter(a) ?? 0))[0];
}

/** Answers about authentication, bodies, headers, paths, and the rate limit. */
export const boundary: Answers = {
  'authentication.code': distinctValues(hasStatus(401), (one) => [errorCode(one)]),
  'authentication.answer-times': (history) => {
    const refused = recorded(history).filter(hasStatus(401));
    return badCredentials.flatMap((label): Observation[] => {
      const [first, ...more] = refused.filter(({ sender }) => sender.label === label);
      if (first === undefined) return [];
      const time = median([first, ...more].map(({ sentAt, receivedAt }) => receivedAt - sentAt));
      return [[`${label}: ${time} ms`, first]];
    });
  },
  ...valueOfEach('bodies.duplicate-keys', (one) => (isSuccess(one) ? short(body(one).query) : outcome(one))),
  'bodies.large-array': distinctValues(
    ({ request }) => request.body?.startsWith('[0,0,') === true,
    (one) => [outcome(one)],
  ),
  'headers.tool-error-on-4xx': (history) =>
    distinct(
      everything(history)
        .filter(({ response }) => response.status >= 400 && response.status < 500)
        .map((one) => [`${one.response.status}: ${toolError(one)}`, one]),
    ),
  'headers.tool-error-on-invalid-arguments': distinctValues(
    (one) => isRefusal(one, refusalCodes.invalidArguments),
    (one) => [toolError(one)],
  ),
  'paths.refused-on-the-way': ({ exchanges }) =>
    distinct(
      exchanges
        .filter(({ refusable }) => refusable)
        .map((one) => (isCompleted(one) ? [outcome(one), one] : ['no response'])),
    ),
  /** Number of served requests in the window before the first 429. An advanced clock starts a new window. */
  'rate-limit.cap': (history) => {
    const all = ofThrottled(history);
    const over = all.find(hasStatus(429));
    const longest = longestWait(history);
    if (over === undefined || longest === undefined) return [];
    const start = over.receivedAt - Number(retryAfter(longest)) * 1000;
    const served = all.filter(
      ({ response, sentAt, receivedAt, clockMoved }) =>
        ![429, 401, 403].includes(response.status) &&
        receivedAt > start &&
        sentAt <= over.receivedAt &&
        clockMoved === over.clockMoved,
    );
    return [[served.length, over]];
  },
  'rate-limit.window': (history) => {
    const longest = longestWait(history);
    return longest === undefined ? [] : [[retryAfter(longest), longest]];
  },
  'surface.codes': distinctValues(hasStatus(403), (one) => [`${one.sender.label}: ${errorCode(one)}`]),
  'unknown-tools.code': distinctValues(
    (one) => hasStatus(404)(one) && !isToolName(one.request.tool ?? ''),
    (one) => [errorCode(one)],
  ),
};

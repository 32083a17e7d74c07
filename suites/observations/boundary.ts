import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { body, type Completed, header, isCompleted, isRefusal, isSuccess, retryAfter } from '../exchange/exchange.ts';
import { member } from '../json.ts';
import {
  type Answer,
  distinct,
  distinctValues,
  everything,
  type Observation,
  outcome,
  recorded,
  sentFor,
  short,
} from './observation.ts';

const errorCode = (exchange: Completed) => short(member(exchange.response.json, 'error', 'code'));
const toolError = (exchange: Completed) => short(header(exchange, responseHeaders.toolError) ?? 'absent');
const withStatus = (exchanges: readonly Completed[], status: number) =>
  exchanges.filter(({ response }) => response.status === status);
const isTool = ({ request }: Completed) => toolNames.some((tool) => tool === request.tool);

export const authenticationCode = distinctValues(
  (history) => withStatus(recorded(history), 401),
  (one) => [errorCode(one)],
);

export const surfaceCodes = distinctValues(
  (history) => withStatus(recorded(history), 403),
  (one) => [`${one.sender.label}: ${errorCode(one)}`],
);

export const unknownToolCode = distinctValues(
  (history) => withStatus(recorded(history), 404).filter((one) => !isTool(one)),
  (one) => [errorCode(one)],
);

export const largeArray = distinctValues(
  (history) => recorded(history).filter(({ request }) => request.body?.startsWith('[0,0,')),
  (one) => [outcome(one)],
);

/** Credentials whose response times should be indistinguishable. */
const badCredentials = ['no credential', 'unknown key', 'revoked', 'expired'];

/** Returns the median, rounded to tenths of a millisecond. */
function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[sorted.length >> 1] ?? 0) * 10) / 10;
}

export const answerTimes: Answer = (history) => {
  const refused = withStatus(recorded(history), 401);
  return badCredentials.flatMap((label): Observation[] => {
    const [first, ...more] = refused.filter(({ sender }) => sender.label === label);
    if (first === undefined) return [];
    const time = median([first, ...more].map(({ sentAt, receivedAt }) => receivedAt - sentAt));
    return [[`${label}: ${time} ms`, first]];
  });
};

export const refusedOnTheWay: Answer = ({ exchanges }) =>
  distinct(
    exchanges
      .filter(({ refusable }) => refusable)
      .map((one) => (isCompleted(one) ? [outcome(one), one] : ['no response'])),
  );

export const toolErrorOn4xx = distinctValues(
  (history) => everything(history).filter(({ response }) => response.status >= 400 && response.status < 500),
  (one) => [`${one.response.status}: ${toolError(one)}`],
);

export const toolErrorOnInvalidArguments = distinctValues(
  (history) => everything(history).filter((one) => isRefusal(one, refusalCodes.invalidArguments)),
  (one) => [toolError(one)],
);

export const duplicateKeys: Answer = (history) =>
  sentFor(history, 'bodies.duplicate-keys')
    .filter(isCompleted)
    .map((one) => [isSuccess(one) ? short(body(one).query) : outcome(one), one]);

const counts = (history: Parameters<Answer>[0]) =>
  everything(history).filter(({ sender }) => sender.role === 'throttled');

/** Longest wait that a 429 for the key `throttled` requests. */
export const rateLimitWindow: Answer = (history) => {
  const over = withStatus(counts(history), 429).filter((one) => retryAfter(one) !== undefined);
  const [longest] = [...over].sort((a, b) => (retryAfter(b) ?? 0) - (retryAfter(a) ?? 0));
  return longest === undefined ? [] : [[retryAfter(longest), longest]];
};

/** Number of served requests in the window before the first 429. An advanced clock starts a new window. */
export const rateLimit: Answer = (history) => {
  const all = counts(history);
  const [over] = withStatus(all, 429);
  const [window] = rateLimitWindow(history);
  if (over === undefined || window === undefined) return [];
  const start = over.receivedAt - Number(window[0]) * 1000;
  const served = all.filter(
    ({ response, sentAt, receivedAt, clockMoved }) =>
      ![429, 401, 403].includes(response.status) &&
      receivedAt > start &&
      sentAt <= over.receivedAt &&
      clockMoved === over.clockMoved,
  );
  return [[served.length, over]];
};

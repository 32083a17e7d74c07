import { headerNames, responseHeaders } from '../../../../fixtures/contract/headers.ts';
import type { Behavior, Call } from '../../../server/behavior.ts';
import { type ApiResponse, boundaryError, rateLimited, refusal } from '../../../server/responses.ts';
import { type Change, changing, errorFields, headers, sentAs, status, writing } from '../../changes/responses.ts';
import { around, calls, skipping } from '../../changes/steps.ts';
import { type Deviation, together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const over = status(429);

/** Changes all 429 responses. `seconds` is the reported wait time. */
const telling = (change: (seconds: number) => Change): Deviation =>
  changing(over, (response, call) => change(Number(response.headers[responseHeaders.retryAfter]))(response, call));

const counting =
  (change: (rate: Behavior['rate']) => Partial<Behavior['rate']>): Deviation =>
  (behavior) => ({ ...behavior, rate: { ...behavior.rate, ...change(behavior.rate) } });

/** Changes the wait time in the body and in the header. */
const waiting = (seconds: (told: number) => number): Deviation =>
  together(
    telling((told) => errorFields({ retry_after_seconds: seconds(told) })),
    telling((told) => headers({ [responseHeaders.retryAfter]: String(seconds(told)) })),
  );

/** Blocks all requests with the same `shared` value while one key exceeds its rate limit. */
const closing =
  (
    shared: (call: Call) => string,
    closed: (call: Call, seconds: number) => ApiResponse = ({ behavior }, seconds) =>
      rateLimited(behavior.codes.rateLimited, seconds),
  ): Deviation =>
  (behavior) => {
    const closedUntil = new Map<string, number>();
    return around('rateLimit', (step) => (call) => {
      const response = step(call);
      const now = call.state.clock.now();
      if (response !== undefined)
        closedUntil.set(shared(call), now + Number(response.headers[responseHeaders.retryAfter]) * 1000);
      const left = Math.ceil(((closedUntil.get(shared(call)) ?? now) - now) / 1000);
      return response ?? (left > 0 ? closed(call, left) : undefined);
    })(behavior);
  };

const suspended = ({ behavior }: Call): ApiResponse =>
  boundaryError(403, behavior.codes.accountSwitchOff, 'There were too many calls: ask for the API to be opened again.');

/** Defects in rate limits: the counting and the response. */
export const rateLimitDefects = {
  'rate-limited-by-gateway': defect('returns 429 with the HTML page of a gateway')
    .breaks('rate-limit.code', 'rate-limit.retry-after-body', 'envelopes.json-4xx', 'envelopes.boundary-error')
    .by(
      together(
        changing(over, headers({ 'content-type': 'text/html' })),
        writing(over, () => '<h1>429 Too Many Requests</h1>'),
      ),
    ),
  'rate-limited-as-503': defect('returns 503 if a key is over its rate limit')
    .breaks('envelopes.no-server-error')
    .by(changing(over, sentAs(503))),
  'rate-limited-as-refusal': defect('returns 200 and a refusal if a key is over its rate limit')
    .breaks('credits.balance')
    .by(
      changing(over, () =>
        refusal('boundary', { code: 'rate_limited', message: 'This key has sent too many requests.' }),
      ),
    ),
  'retry-after-header-left-out': defect(`leaves out the header ${headerNames.retryAfter} from a 429`)
    .breaks('rate-limit.retry-after-header')
    .by(changing(over, headers({ [responseHeaders.retryAfter]: undefined }))),
  'retry-after-as-date': defect(`sends the header ${headerNames.retryAfter} as a date`)
    .breaks('rate-limit.retry-after-header')
    .by(
      changing(over, (response, call) =>
        headers({ [responseHeaders.retryAfter]: new Date(call.state.clock.now() + 60_000).toUTCString() })(
          response,
          call,
        ),
      ),
    ),
  'retry-after-zero': defect(`sends ${headerNames.retryAfter}: 0 with a 429`)
    .breaks('rate-limit.retry-after-header')
    .by(waiting(() => 0)),
  'retry-after-with-fraction': defect(`sends the header ${headerNames.retryAfter} with a fraction of a second`)
    .breaks('rate-limit.retry-after-header')
    .by(telling((told) => headers({ [responseHeaders.retryAfter]: (told - 0.5).toFixed(1) }))),
  'retry-after-with-unit': defect(`sends the header ${headerNames.retryAfter} with a unit, such as 30s`)
    .breaks('rate-limit.retry-after-header')
    .by(telling((told) => headers({ [responseHeaders.retryAfter]: `${told}s` }))),
  'retry-after-seconds-left-out': defect('leaves out retry_after_seconds from a 429')
    .breaks('rate-limit.retry-after-body')
    .by(changing(over, errorFields({ retry_after_seconds: undefined }))),
  'retry-after-seconds-as-text': defect('sends retry_after_seconds as a string')
    .breaks('rate-limit.retry-after-body')
    .by(telling((told) => errorFields({ retry_after_seconds: String(told) }))),
  'retry-after-seconds-null': defect('sends retry_after_seconds as null')
    .breaks('rate-limit.retry-after-body')
    .by(changing(over, errorFields({ retry_after_seconds: null }))),
  'retry-after-in-milliseconds': defect('sends milliseconds in retry_after_seconds')
    .breaks('rate-limit.retry-after-agree')
    .by(telling((told) => errorFields({ retry_after_seconds: told * 1000 }))),
  'retry-after-one-off': defect(`rounds ${headerNames.retryAfter} up and retry_after_seconds down`)
    .breaks('rate-limit.retry-after-agree')
    .by(telling((told) => errorFields({ retry_after_seconds: told - 1 }))),
  'cap-per-tool': defect('counts the requests of each tool separately')
    .breaks('rate-limit.spans-tools')
    .by(counting(({ bucket }) => ({ bucket: (call) => `${bucket(call)} ${call.toolName}` }))),
  'cap-of-balance-only': defect('limits the rate of credits.balance, but of no other tool')
    .breaks('rate-limit.spans-tools')
    .by(skipping('rateLimit', (call) => !calls('credits.balance')(call))),
  'schedule-not-counted': defect('serves schedule.read even if the key is over its rate limit')
    .breaks('rate-limit.spans-tools')
    .by(skipping('rateLimit', calls('schedule.read'))),
  'cap-per-account': defect('refuses all keys of an account while one of them is over its rate limit')
    .breaks('rate-limit.per-key')
    .by(closing((call) => call.key?.account ?? '')),
  'cap-per-address': defect('refuses all keys that send from one IP address while one of them is over its rate limit')
    .breaks('rate-limit.per-key')
    .by(closing(() => '127.0.0.1')),
  'account-suspended-over-cap': defect(
    'returns 403 for all keys of an account while one of them is over its rate limit',
  )
    .breaks('rate-limit.per-key', 'authentication.bearer-accepted', 'credits.balance')
    .by(closing(({ key }) => key?.account ?? '', suspended)),
  'key-suspended-after-cap': defect('returns 403 for a key that was over its rate limit, even after the wait')
    .breaks('rate-limit.served-after-waiting', 'authentication.bearer-accepted')
    .by((behavior) => {
      const wasOver = new Set<string>();
      return around('rateLimit', (step) => (call) => {
        const response = step(call);
        const secret = call.key?.secret ?? '';
        if (response !== undefined) wasOver.add(secret);
        return response ?? (wasOver.delete(secret) ? suspended(call) : undefined);
      })(behavior);
    }),
  'refusals-restart-window': defect(
    `starts the wait again with each request over the rate limit, but then sends ${headerNames.retryAfter}: 1`,
  )
    .breaks('rate-limit.served-after-waiting')
    .by((behavior) => {
      const closedUntil = new Map<string, number>();
      return around('rateLimit', (step) => (call) => {
        const response = step(call);
        const [secret, now] = [call.key?.secret ?? '', call.state.clock.now()];
        if (response === undefined && now >= (closedUntil.get(secret) ?? now)) return undefined;
        closedUntil.set(secret, now + behavior.rate.windowSeconds * 1000);
        return response ?? rateLimited(behavior.codes.rateLimited, 1);
      })(behavior);
    }),
  'wait-too-short': defect(`sends only half of the required wait in the header ${headerNames.retryAfter}`)
    .breaks('rate-limit.served-after-waiting')
    .by(waiting((told) => Math.ceil(told / 2))),
  'window-longer-than-told': defect(
    `sends the rest of one minute in the header ${headerNames.retryAfter}, although the window is five minutes`,
  )
    .breaks('rate-limit.served-after-waiting')
    .by(
      together(
        counting(() => ({ windowSeconds: 300 })),
        waiting((told) => Math.min(60, told)),
      ),
    ),
  'wait-two-seconds-short': defect(`sends a wait that is two seconds too short in the header ${headerNames.retryAfter}`)
    .breaks('rate-limit.served-after-waiting')
    .by(waiting((told) => Math.max(1, told - 2))),
};

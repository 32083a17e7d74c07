import type { rateLimitDefects as data } from '../../fixtures/defects/rate-limit.ts';
import { type Answer, boundaryError, rateLimited, refusal } from '../answers.ts';
import type { Call } from '../call.ts';
import type { Rules } from '../rules.ts';
import {
  answering,
  type Change,
  type Deviation,
  errorFields,
  headers,
  sentAs,
  status,
  together,
  writing,
} from './patches.ts';
import { around, calls, skipping } from './steps.ts';

const over = status(429);

/** Changes every answer over the cap; `seconds` is what it says. */
const telling = (change: (seconds: number) => Change): Deviation =>
  answering(over, (answer, call) => change(Number(answer.headers['retry-after']))(answer, call));

const counting =
  (change: (rate: Rules['rate']) => Partial<Rules['rate']>): Deviation =>
  (rules) => ({ ...rules, rate: { ...rules.rate, ...change(rules.rate) } });

/** Tells another time to wait, in both places. */
const waiting = (seconds: (told: number) => number): Deviation =>
  together(
    telling((told) => errorFields({ retry_after_seconds: seconds(told) })),
    telling((told) => headers({ 'retry-after': String(seconds(told)) })),
  );

/** Closes to all that share something while one of them is over its cap. */
const closing =
  (
    shared: (call: Call) => string,
    closed: (call: Call, seconds: number) => Answer = ({ rules }, seconds) =>
      rateLimited(rules.codes.rateLimited, seconds),
  ): Deviation =>
  (rules) => {
    const closedUntil = new Map<string, number>();
    return around('rateLimit', (step) => (call) => {
      const answer = step(call);
      const now = call.state.clock.now();
      if (answer !== undefined) closedUntil.set(shared(call), now + Number(answer.headers['retry-after']) * 1000);
      const left = Math.ceil(((closedUntil.get(shared(call)) ?? now) - now) / 1000);
      return answer ?? (left > 0 ? closed(call, left) : undefined);
    })(rules);
  };

const suspended = ({ rules }: Call): Answer =>
  boundaryError(403, rules.codes.accountSwitchOff, 'There were too many calls: ask for the API to be opened again.');

/** Deviations of the rate cap. */
export const rateLimitDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'rate-limited-with-other-code': answering(over, errorFields({ code: 'too_many_requests' })),
  'rate-limited-by-gateway': together(
    answering(over, headers({ 'content-type': 'text/html' })),
    writing(over, () => '<h1>429 Too Many Requests</h1>'),
  ),
  'rate-limited-as-503': answering(over, sentAs(503)),
  'rate-limited-as-refusal': answering(over, () =>
    refusal('boundary', { code: 'rate_limited', message: 'This key has made too many calls.' }),
  ),
  'retry-after-header-left-out': answering(over, headers({ 'retry-after': undefined })),
  'retry-after-as-date': answering(over, (answer, call) =>
    headers({ 'retry-after': new Date(call.state.clock.now() + 60_000).toUTCString() })(answer, call),
  ),
  'retry-after-zero': waiting(() => 0),
  'retry-after-with-fraction': telling((told) => headers({ 'retry-after': (told - 0.5).toFixed(1) })),
  'retry-after-with-unit': telling((told) => headers({ 'retry-after': `${told}s` })),
  'retry-after-seconds-left-out': answering(over, errorFields({ retry_after_seconds: undefined })),
  'retry-after-seconds-as-text': telling((told) => errorFields({ retry_after_seconds: String(told) })),
  'retry-after-seconds-null': answering(over, errorFields({ retry_after_seconds: null })),
  'retry-after-in-milliseconds': telling((told) => errorFields({ retry_after_seconds: told * 1000 })),
  'retry-after-one-off': telling((told) => errorFields({ retry_after_seconds: told - 1 })),
  'cap-per-tool': counting(({ bucket }) => ({ bucket: (call) => `${bucket(call)} ${call.toolName}` })),
  'cap-of-balance-only': skipping('rateLimit', (call) => !calls('credits.balance')(call)),
  'schedule-not-counted': skipping('rateLimit', calls('schedule.read')),
  'cap-per-account': closing((call) => call.key?.account ?? ''),
  'cap-per-address': closing(() => '127.0.0.1'),
  'account-suspended-over-cap': closing(({ key }) => key?.account ?? '', suspended),
  'key-suspended-after-cap': (rules) => {
    const wasOver = new Set<string>();
    return around('rateLimit', (step) => (call) => {
      const answer = step(call);
      const secret = call.key?.secret ?? '';
      if (answer !== undefined) wasOver.add(secret);
      return answer ?? (wasOver.delete(secret) ? suspended(call) : undefined);
    })(rules);
  },
  'wait-too-short': waiting((told) => Math.ceil(told / 2)),
  'window-longer-than-told': together(
    counting(() => ({ windowSeconds: 300 })),
    waiting((told) => Math.min(60, told)),
  ),
  'wait-two-seconds-short': waiting((told) => Math.max(1, told - 2)),
};

import { responseHeaders } from '../../../../fixtures/contract/headers.ts';
import type { Behavior, Call } from '../../../../stub/server/behavior.ts';
import { type ApiResponse, boundaryError, rateLimited } from '../../../../stub/server/responses.ts';
import { type Deviation, defect, together } from '../../../../stub/variants/defect.ts';
import { around, asked, calls, settling, skipping } from '../../changes/steps.ts';

const counting =
  (change: (rate: Behavior['rate']) => Partial<Behavior['rate']>): Deviation =>
  (behavior) => ({ ...behavior, rate: { ...behavior.rate, ...change(behavior.rate) } });

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
  'cap-per-tool': defect('counts the requests of each tool separately')
    .breaks('rate-limit.spans-tools')
    .by(counting(({ bucket }) => ({ bucket: (call) => `${bucket(call)} ${call.toolName}` }))),
  'cap-of-balance-only': defect('limits the rate of credits.balance, but of no other tool')
    .breaks('rate-limit.spans-tools')
    .by(skipping('rateLimit', (call) => !calls('credits.balance')(call))),
  'cap-per-account': defect('refuses all keys of an account while one of them is over its rate limit')
    .breaks('rate-limit.per-key')
    .by(closing((call) => call.key?.account ?? '')),
  'account-suspended-over-cap': defect('returns 403 for all keys of an account while one is over its rate limit')
    .breaks('rate-limit.per-key', 'authentication.bearer-accepted', 'credits.balance')
    .by(closing(({ key }) => key?.account ?? '', suspended)),
  'first-workspace-after-the-limit': defect(
    'runs the first request that names a workspace after a 429 in the first workspace of the key',
  )
    .breaks('workspaces.argument-honoured', 'workspaces.argument-honoured-every-tool')
    .by((behavior) => {
      const wasOver = new Set<string>();
      return together(
        around('rateLimit', (step) => (call) => {
          const response = step(call);
          if (response !== undefined) wasOver.add(call.key?.secret ?? '');
          return response;
        }),
        settling((call, key) => {
          const [first = ''] = key.reach;
          return asked(call) !== undefined && wasOver.delete(key.secret) ? [first, 'call-override'] : undefined;
        }),
      )(behavior);
    }),
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
};

import { boundaryCodes } from '../../../fixtures/contract/codes.ts';
import { carriedHeaders, headerNames, responseHeaders } from '../../../fixtures/contract/headers.ts';
import { type Answer, boundaryError } from '../answer.ts';
import { createCaps } from '../caps.ts';
import type { Key, World } from '../world.ts';
import { answers, around, type Call, inside } from './mutation.ts';

const limited = (description: string, edit: (answer: Answer) => void, options = {}) =>
  answers(
    description,
    (answer) => {
      if (answer.cause === 'rate-limited') edit(answer);
    },
    options,
  );

const setWait = (answer: Answer, seconds: number) => {
  answer.headers[responseHeaders.retryAfter] = String(seconds);
  inside(answer.body, 'error').retry_after_seconds = seconds;
};

/** Long enough that half of the window is too short a wait. */
const longWindow = { cap: { calls: 25, windowMs: 8000, style: 'sliding' as const } };

const tooMany = (world: World, wait: number): Answer => {
  const answer = boundaryError(world, 429, 'rate-limited', boundaryCodes.rateLimited, 'Slow down.', wait);
  return { ...answer, headers: { ...carriedHeaders(answer.status), ...answer.headers } };
};

/**
 * Replaces the server's way of counting. `countAs` returns the owner of a request's count; undefined if it does not
 * count.
 */
const counting = (description: string, countAs: (call: Call, key: Key) => string | undefined) =>
  around(
    description,
    (world) => {
      const caps = createCaps({ ...world, options: { ...world.options, veryLargeCap: false } });
      return async (call, next) => {
        const secret = call.key?.state === 'good' ? countAs(call, call.key) : undefined;
        const wait = call.key && secret !== undefined ? caps.admit({ ...call.key, secret }) : 0;
        return wait > 0 ? tooMany(world, wait) : next(call.received);
      };
    },
    { veryLargeCap: true },
  );

/** Deviations of rate limits. */
export const capMutations = {
  'cap-spares-balance': counting('credits.balance is not counted', ({ tool }, { secret }) =>
    tool === 'credits.balance' ? undefined : secret,
  ),
  'cap-counts-refused-calls': around(
    `refused calls are counted, so that ${headerNames.retryAfter} is too short`,
    (world) => {
      const seen = new Map<string, number[]>();
      return async (call, next) => {
        if (call.key?.state !== 'good') return next(call.received);
        const now = world.now();
        const within = (seen.get(call.key.secret) ?? []).filter((moment) => moment > now - 2000);
        seen.set(call.key.secret, [...within, now]);
        if (within.length < 25) return next(call.received);
        return tooMany(world, Math.max(1, Math.ceil(((within.at(0) ?? now) + 2000 - now) / 1000)));
      };
    },
    { veryLargeCap: true },
  ),
  'retry-after-one': limited(`${headerNames.retryAfter} is always 1`, (answer) => setWait(answer, 1), longWindow),
  'limited-for-good': around('a key that went over the cap is refused for ten seconds more', (world) => {
    const until = new Map<string, number>();
    return async (call, next) => {
      const secret = call.key?.secret ?? '';
      if (world.now() < (until.get(secret) ?? 0)) return tooMany(world, 1);
      const answer = await next(call.received);
      if (answer.cause === 'rate-limited') until.set(secret, world.now() + 10_000);
      return answer;
    };
  }),
};

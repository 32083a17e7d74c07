import { type Answer, boundaryError, refusal } from '../answer.ts';
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
  answer.headers['retry-after'] = String(seconds);
  inside(answer.body, 'error').retry_after_seconds = seconds;
};

/** Long enough for half of it to be too short. */
const longWindow = { cap: { calls: 25, windowMs: 8000, style: 'sliding' as const } };

const tooMany = (world: World, wait: number): Answer => {
  const answer = boundaryError(world, 429, 'rate-limited', 'tenant_mcp.rate_limited', 'Slow down.', wait);
  return { ...answer, headers: { 'x-service-api': 'beta', ...answer.headers } };
};

/** Puts another way of counting in the place of the server's. `countAs`: whom a call is counted for; undefined: not at all. */
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

/** 429. */
export const capMutations = {
  'cap-of-each-tool': counting('the cap is counted for each tool', ({ tool }, { secret }) => `${secret} ${tool}`),
  'cap-spares-balance': counting('credits.balance is not counted', ({ tool }, { secret }) =>
    tool === 'credits.balance' ? undefined : secret,
  ),
  'cap-for-balance-only': counting('only credits.balance is counted', ({ tool }, { secret }) =>
    tool === 'credits.balance' ? secret : undefined,
  ),
  'cap-of-the-account': counting('the cap is counted for each account', (_, { account }) => account.name),
  'cap-counts-refused-calls': around(
    'refused calls are counted, so that Retry-After is too short',
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
  'retry-after-halved': limited(
    'Retry-After is half of what it should be',
    (answer) => setWait(answer, Math.max(1, Math.floor(Number(answer.headers['retry-after']) / 2))),
    longWindow,
  ),
  'retry-after-one': limited('Retry-After is always 1', (answer) => setWait(answer, 1), longWindow),
  'retry-after-zero': limited('Retry-After is 0', (answer) => setWait(answer, 0)),
  'retry-after-fraction': limited('Retry-After has a fraction', (answer) => {
    answer.headers['retry-after'] = `${answer.headers['retry-after']}.0`;
  }),
  'retry-after-is-a-date': limited('Retry-After is a date', (answer) => {
    answer.headers['retry-after'] = new Date(Date.now() + 2000).toUTCString();
  }),
  'retry-after-absent': limited('429 has no Retry-After', (answer) => {
    delete answer.headers['retry-after'];
  }),
  'retry-seconds-absent': limited('429 has no retry_after_seconds', (answer) => {
    delete inside(answer.body, 'error').retry_after_seconds;
  }),
  'retry-seconds-in-milliseconds': limited('retry_after_seconds is in milliseconds', (answer) => {
    inside(answer.body, 'error').retry_after_seconds = Number(answer.headers['retry-after']) * 1000;
  }),
  'retry-seconds-as-text': limited('retry_after_seconds is a string', (answer) => {
    inside(answer.body, 'error').retry_after_seconds = answer.headers['retry-after'] ?? '';
  }),
  'retry-seconds-one-less': limited('retry_after_seconds is one less than Retry-After', (answer) => {
    inside(answer.body, 'error').retry_after_seconds = Number(answer.headers['retry-after']) - 1;
  }),
  'limited-has-another-code': limited('429 has another code', (answer) => {
    inside(answer.body, 'error').code = 'tenant_api.rate_limited';
  }),
  'limited-is-503': limited('over the cap is HTTP 503', (answer) => {
    answer.status = 503;
  }),
  'limited-is-a-refusal': around('over the cap is a refusal with HTTP 200', () => async (call, next) => {
    const answer = await next(call.received);
    if (answer.cause !== 'rate-limited') return answer;
    return {
      ...refusal('rate_limited', 'Slow down.', true),
      headers: { ...answer.headers, 'x-service-tool-error': 'true' },
    };
  }),
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

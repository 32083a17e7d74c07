import { seededRandom } from '../../seeded/random.ts';
import type { Behavior } from '../../server/behavior.ts';
import type { Delivery } from '../../server/handle.ts';
import { changing, headers } from '../changes/responses.ts';
import type { Deviation, Variant } from '../defect.ts';

/** Changes the delivery of all responses. */
export const delivering =
  (how: () => Delivery): Deviation =>
  (behavior) =>
    changing(
      () => true,
      (response) => ({ ...response, delivery: { ...response.delivery, ...how() } }),
    )(behavior);

const jitter: Deviation = (behavior) => {
  const random = seededRandom(4);
  return delivering(() => ({ delayMs: 1 + 39 * random() }))(behavior);
};

export const rated =
  (rate: Partial<Behavior['rate']>): Deviation =>
  (behavior) => ({ ...behavior, rate: { ...behavior.rate, ...rate } });

/** Variants of rate limits, JSON, connections and keys. */
export const transportVariants = {
  'small-cap': {
    what: 'allows a key 25 requests in two seconds',
    room: 'Limits: the number is not shown',
    decides: 'rate limit',
    deviation: rated({
      windowSeconds: 2,
      limit: ({ role, rateLimit }) => Math.min(rateLimit, role === 'throttled' ? 10 : 25),
    }),
  },
  'pretty-printed': {
    what: 'indents its JSON and ends it with a line feed',
    room: 'Endpoints: application/json',
    deviation: (behavior) => ({
      ...behavior,
      write: (body, call) => `${JSON.stringify(JSON.parse(behavior.write(body, call)), null, 2)}\n`,
    }),
  },
  'with-charset': {
    what: 'adds a charset to the content type',
    room: 'Endpoints: application/json may have parameters',
    deviation: changing(() => true, headers({ 'content-type': 'application/json; charset=utf-8' })),
  },
  'path-prefix': {
    what: 'has a base URL with a path: /edge/v9',
    room: 'Base address: {base_url}',
    deviation: (behavior) => ({ ...behavior, basePath: '/edge/v9' }),
  },
  jitter: {
    what: 'responds after 1 to 40 ms, at random',
    room: 'the transport is not mentioned',
    deviation: jitter,
  },
  'few-keys': {
    what: 'hands out keys for primary, ambiguous and revoked only',
    room: 'Authentication: which keys there are is for the account',
    decides: 'keys',
    random: false,
    deviation: (behavior) => ({ ...behavior, roles: ['primary', 'ambiguous', 'revoked'] }),
  },
} satisfies Readonly<Record<string, Variant>>;

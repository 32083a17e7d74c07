import { seededRandom } from '../../../fixtures/world/seeded.ts';
import type { Behavior } from '../../server/behavior.ts';
import type { Delivery } from '../../server/handle.ts';
import { changing, headers } from '../changes/responses.ts';
import { rightBefore } from '../changes/steps.ts';
import type { Deviation } from '../deviation.ts';
import type { Variant } from './variant.ts';

/** Changes the delivery of all responses. */
const delivering =
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

const rated =
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
  'huge-cap': {
    what: 'has a rate limit that no client reaches',
    room: 'Limits: the number is not shown',
    decides: 'rate limit',
    random: false,
    deviation: rated({ limit: () => Number.POSITIVE_INFINITY }),
  },
  'failures-not-counted': {
    what: 'counts a request against the rate limit only after it has validated tool and body',
    room: 'Limits: which requests count is not said',
    deviation: rightBefore('rateLimit', 'checkArguments', 'resolveWorkspace'),
  },
  'pretty-printed': {
    what: 'indents its JSON and ends it with a line feed',
    room: 'Endpoints: application/json',
    deviation: (behavior) => ({
      ...behavior,
      write: (body, call) => `${JSON.stringify(JSON.parse(behavior.write(body, call)), null, 2)}\n`,
    }),
  },
  'escaped-letters': {
    what: 'writes letters beyond ASCII as escapes',
    room: 'Endpoints: application/json',
    deviation: (behavior) => ({
      ...behavior,
      write: (body, call) =>
        behavior
          .write(body, call)
          .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
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
  'closed-connections': {
    what: 'closes the connection after every response',
    room: 'the transport is not mentioned',
    deviation: delivering(() => ({ closes: true })),
  },
  'in-pieces': {
    what: 'sends bodies in chunks, without a content-length',
    room: 'the transport is not mentioned',
    deviation: delivering(() => ({ inPieces: true })),
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
  'one-key': {
    what: 'hands out a key for primary only',
    room: 'Authentication: which keys there are is for the account',
    decides: 'keys',
    random: false,
    deviation: (behavior) => ({ ...behavior, roles: ['primary'] }),
  },
} satisfies Readonly<Record<string, Variant>>;

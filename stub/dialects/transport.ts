import type { transportDialects as data } from '../../fixtures/dialects/transport.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import { answering, type Deviation, headers } from '../defects/patches.ts';
import type { Delivery } from '../exchange.ts';
import type { Rules } from '../rules.ts';
import { rightBefore } from './boundary.ts';

/** Delivers every answer in another way. */
const delivering =
  (how: () => Delivery): Deviation =>
  (rules) =>
    answering(
      () => true,
      (answer) => ({ ...answer, delivery: { ...answer.delivery, ...how() } }),
    )(rules);

const jitter: Deviation = (rules) => {
  const random = seededRandom(4);
  return delivering(() => ({ delayMs: 1 + 39 * random() }))(rules);
};

const capped =
  (rate: Partial<Rules['rate']>): Deviation =>
  (rules) => ({ ...rules, rate: { ...rules.rate, ...rate } });

/** Conforming ways to be different about caps, JSON, connections and keys. */
export const transportDialects: Readonly<Record<keyof typeof data, Deviation>> = {
  'small-cap': capped({
    windowSeconds: 2,
    cap: ({ role, cap }) => Math.min(cap, role === 'throttled' ? 10 : 25),
  }),
  'huge-cap': capped({ cap: () => Number.POSITIVE_INFINITY }),
  'failures-not-counted': rightBefore('rateLimit', 'checkArguments', 'resolveWorkspace'),
  'pretty-printed': (rules) => ({
    ...rules,
    write: (body, call) => `${JSON.stringify(JSON.parse(rules.write(body, call)), null, 2)}\n`,
  }),
  'escaped-letters': (rules) => ({
    ...rules,
    write: (body, call) =>
      rules
        .write(body, call)
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
  'with-charset': answering(() => true, headers({ 'content-type': 'application/json; charset=utf-8' })),
  'path-prefix': (rules) => ({ ...rules, basePath: '/edge/v9' }),
  'closed-connections': delivering(() => ({ closes: true })),
  'in-pieces': delivering(() => ({ inPieces: true })),
  jitter,
  'few-keys': (rules) => ({ ...rules, roles: ['primary', 'ambiguous', 'revoked'] }),
  'one-key': (rules) => ({ ...rules, roles: ['primary'] }),
};

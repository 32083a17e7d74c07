import { rightBefore } from '../../../stub/variants/changes/steps.ts';
import { delivering, rated } from '../../../stub/variants/conforming/transport.ts';
import type { Variant } from '../../../stub/variants/defect.ts';

/** Variants of rate limits, JSON, connections and keys. */
export const transportVariants = {
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
  'one-key': {
    what: 'hands out a key for primary only',
    room: 'Authentication: which keys there are is for the account',
    decides: 'keys',
    random: false,
    deviation: (behavior) => ({ ...behavior, roles: ['primary'] }),
  },
} satisfies Readonly<Record<string, Variant>>;

import { limited } from '../answers.ts';
import { all, alsoLimited, type Change, creates, crowded, generates, pause } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call, World } from '../model.ts';
import { around, type Steps, step, take } from '../steps.ts';

/** Limits the requests of a group in real time, before all other steps. */
function limitedFirst(most: number, periodMs: number, group: (c: Call, s: Steps) => string | undefined): Change {
  return (s) => {
    const served = new Map<string, number[]>();
    around(s, 'handle', (next) => async (c) => {
      const name = group(c, s);
      const seconds = name === undefined ? undefined : take(served, name, most, periodMs, Date.now());
      return seconds === undefined ? next(c) : limited(seconds);
    });
  };
}

function everyKey(perMinute: number): (world: World) => void {
  return ({ keys }) => {
    for (const key of Object.values(keys)) key.perMinute = perMinute;
  };
}

/** Removes the default rate limit of keys. */
const withoutUsual = step('wait', () => () => undefined);
const real = (): number => Date.now();
const ofKey = ({ key }: Call): string => key.secret;

/** Deployments with other rate limits. They may ignore the clock, and add to the limit of the key or replace it. */
export const limitDeployments: Deployments = {
  'limiter-in-real-time-for-all': { steps: all(withoutUsual, alsoLimited(40, 1500, ofKey, real)) },
  'fixed-windows': {
    steps: step('wait', () => {
      const windows = new Map<string, { minute: number; count: number }>();
      return (c) => {
        const minute = Math.floor(c.now / 60_000);
        const window = windows.get(c.key.secret);
        const count = window?.minute === minute ? window.count + 1 : 1;
        windows.set(c.key.secret, { minute, count });
        return count > c.key.perMinute ? Math.ceil(((minute + 1) * 60_000 - c.now) / 1000) || 1 : undefined;
      };
    }),
  },
  'token-bucket': {
    steps: step('wait', () => {
      const buckets = new Map<string, { tokens: number; time: number }>();
      return (c) => {
        const bucket = buckets.get(c.key.secret) ?? { tokens: 15, time: c.now };
        const tokens = Math.min(15, bucket.tokens + (c.now - bucket.time) / 2000);
        const isServed = tokens >= 1;
        buckets.set(c.key.secret, { tokens: isServed ? tokens - 1 : tokens, time: c.now });
        return isServed ? undefined : Math.max(1, Math.ceil((1 - tokens) * 2));
      };
    }),
  },
  'limit-per-tool-beside': {
    world: ({ keys }) => Object.assign(keys.throttled, { perMinute: 45 }),
    steps: alsoLimited(10, 60_000, (c) => (c.key.role === 'throttled' ? `${c.key.secret} ${c.tool}` : undefined)),
  },
  'no-limit-within-reach': { world: everyKey(100_000) },
  'forty-a-minute': { world: everyKey(40) },
  'twelve-a-minute': { world: everyKey(12) },
  'few-in-flight': { steps: crowded(4, ofKey, () => pause(3)) },
  'limit-of-the-account': { steps: alsoLimited(200, 60_000, ({ key }) => key.account) },
  'limit-of-searches': {
    steps: alsoLimited(
      40,
      2000,
      ({ tool }) => (/(library|knowledge).search/.test(tool) ? 'searches' : undefined),
      real,
    ),
  },
  'proposals-limited-in-real-time': {
    steps: alsoLimited(10, 1500, (c) => (generates(c) ? c.key.secret : undefined), real),
  },
  'creating-limited': {
    steps: all(
      alsoLimited(6, 60_000, (c) => (creates(c) ? c.key.secret : undefined)),
      alsoLimited(8, 60_000, (c) => (generates(c) ? c.key.secret : undefined)),
    ),
  },
  'generous-retry-after': {
    steps: step('wait', (next) => (c) => {
      const seconds = next(c);
      return seconds === undefined ? undefined : seconds + 10;
    }),
  },
  'limited-before-credential': {
    steps: step('handle', (next) => async (c) => {
      const answer = await next(c);
      if (answer.status === 400) c.world.served.get(c.key.secret)?.pop();
      return answer;
    }),
  },
  'failed-keys-limited': { steps: limitedFirst(40, 2000, (c, s) => (s.credential(c) ? undefined : 'failed')) },
  'unknown-names-limited': {
    steps: limitedFirst(30, 1000, (c, s) => (s.credential(c) && !s.recognise(c) ? 'unknown' : undefined)),
  },
  'limit-before-credential-of-address': { steps: limitedFirst(300, 1000, () => 'address') },
};

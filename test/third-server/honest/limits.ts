import { boundaryCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { boundary } from '../answers.ts';
import { all, type Change, pause } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call, World } from '../model.ts';
import { around, type Steps, step } from '../steps.ts';

/** Adds another rate limit: a number of requests in a window for each group of `name`. */
function alsoLimited(
  name: (call: Call) => string | undefined,
  requests: number,
  milliseconds: number,
  clock: (call: Call) => number = ({ now }) => now,
): Change {
  const served = new Map<string, number[]>();
  return step('wait', (next) => (c) => {
    const group = name(c);
    if (group === undefined) return next(c);
    const now = clock(c);
    const recent = (served.get(group) ?? []).filter((time) => time > now - milliseconds);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= requests) {
      return Math.max(1, Math.ceil((oldest + milliseconds - now) / 1000));
    }
    const seconds = next(c);
    if (seconds === undefined) served.set(group, [...recent, now]);
    return seconds;
  });
}

/** Removes the default rate limit of keys. */
function withoutUsual(steps: Steps): void {
  steps.wait = () => undefined;
}

function everyKey(perMinute: number): (world: World) => void {
  return (world) => {
    for (const key of world.keys.values()) key.perMinute = perMinute;
  };
}

const real = (): number => Date.now();
const throttled = ({ key }: Call): string | undefined => (key.role === 'throttled' ? key.secret : undefined);

/** Deployments with other rate limits. They may ignore the clock, and add to the limit of the key or replace it. */
export const limitDeployments: Deployments = {
  'limiter-in-real-time-for-all': {
    steps: all(withoutUsual, (s) => alsoLimited(({ key }) => key.secret, 40, 1500, real)(s)),
  },
  'fixed-windows': {
    steps: (s) => {
      withoutUsual(s);
      const windows = new Map<string, { minute: number; count: number }>();
      around(s, 'wait', () => (c) => {
        const minute = Math.floor(c.now / 60_000);
        const window = windows.get(c.key.secret);
        const count = window?.minute === minute ? window.count + 1 : 1;
        windows.set(c.key.secret, { minute, count });
        return count > c.key.perMinute ? Math.ceil(((minute + 1) * 60_000 - c.now) / 1000) || 1 : undefined;
      });
    },
  },
  'token-bucket': {
    steps: (s) => {
      withoutUsual(s);
      const buckets = new Map<string, { tokens: number; time: number }>();
      around(s, 'wait', () => (c) => {
        if (c.key.role !== 'throttled') return undefined;
        const { tokens, time } = buckets.get(c.key.secret) ?? { tokens: 15, time: c.now };
        const now = Math.min(15, tokens + (c.now - time) / 2000);
        buckets.set(c.key.secret, { tokens: now >= 1 ? now - 1 : now, time: c.now });
        return now >= 1 ? undefined : Math.max(1, Math.ceil((1 - now) * 2));
      });
    },
  },
  'limit-per-tool-beside': {
    world: (world) => {
      for (const key of world.keys.values()) if (key.role === 'throttled') key.perMinute = 45;
    },
    steps: (s) =>
      alsoLimited((c) => (throttled(c) === undefined ? undefined : `${c.key.secret} ${c.tool}`), 10, 60_000)(s),
  },
  'no-limit-within-reach': { world: everyKey(100_000) },
  'forty-a-minute': { world: everyKey(40) },
  'twelve-a-minute': { world: everyKey(12) },
  'few-in-flight': {
    steps: (s) => {
      const open = new Map<string, number>();
      around(s, 'run', (next) => async (c) => {
        const count = open.get(c.key.secret) ?? 0;
        if (count >= 4) {
          const limited = boundary(429, boundaryCodes.rateLimited, 'Too many at once.', { retry_after_seconds: 1 });
          return { ...limited, headers: { [responseHeaders.retryAfter]: '1' } };
        }
        open.set(c.key.secret, count + 1);
        await pause(3);
        open.set(c.key.secret, (open.get(c.key.secret) ?? 1) - 1);
        return next(c);
      });
    },
  },
  'limit-of-the-account': { steps: (s) => alsoLimited(({ key }) => key.account, 200, 60_000)(s) },
  'creating-limited': {
    steps: all(
      (s) => alsoLimited(({ tool, key }) => (tool === 'content.create_request' ? key.secret : undefined), 6, 60_000)(s),
      (s) => alsoLimited(({ tool, key }) => (tool === 'images.generate' ? key.secret : undefined), 8, 60_000)(s),
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
      const served = c.key === undefined ? undefined : c.world.served.get(c.key.secret);
      if (answer.status === 400 && served !== undefined) served.pop();
      return answer;
    }),
  },
};

import { headerNames, responseHeaders } from '../../../fixtures/contract/headers.ts';
import type { Deviation } from '../deviation.ts';
import { around } from '../steps.ts';

/** Deviations of rate limits: the last second of a window, waits, and which requests count. */
export const atLimits: Deviation[] = [
  {
    id: 'retry-after-zero-at-the-end',
    sentence: `In the last second of a window \`${headerNames.retryAfter}\` is 0.`,
    breaks: ['rate-limit.retry-after-header', 'rate-limit.retry-after-body', 'rate-limit.served-after-waiting'],
    steps: (s) =>
      around(s, 'wait', (next) => (c) => {
        const seconds = next(c);
        return seconds === 1 ? 0 : seconds;
      }),
    probe: async (p) => {
      for (let index = 0; index < 25; index += 1) await p.call('throttled', 'credits.balance');
      const { body } = await p.call('throttled', 'credits.balance');
      const error = body.error as { retry_after_seconds: number };
      await p.advance((error.retry_after_seconds - 0.6) / 60);
      return (await p.call('throttled', 'credits.balance')).headers[responseHeaders.retryAfter] === '0';
    },
  },
  {
    id: 'retry-after-too-short',
    sentence: `\`${headerNames.retryAfter}\` is three seconds too short.`,
    breaks: ['rate-limit.served-after-waiting'],
    steps: (s) =>
      around(s, 'wait', (next) => (c) => {
        const seconds = next(c);
        return seconds === undefined ? undefined : Math.max(1, seconds - 3);
      }),
    probe: async (p) => {
      for (let index = 0; index < 25; index += 1) await p.call('throttled', 'credits.balance');
      const { body } = await p.call('throttled', 'credits.balance');
      await p.advance((body.error as { retry_after_seconds: number }).retry_after_seconds / 60);
      return (await p.call('throttled', 'credits.balance')).status === 429;
    },
  },
  {
    id: 'limited-requests-count-later',
    sentence: 'More than five requests over the limit begin a new minute without service.',
    breaks: ['rate-limit.served-after-waiting'],
    steps: (s) => {
      const strikes = new Map<string, number>();
      around(s, 'wait', (next) => (c) => {
        const seconds = next(c);
        const count = (strikes.get(c.key.role) ?? 0) + (seconds === undefined ? 0 : 1);
        strikes.set(c.key.role, count);
        const until = count > 5 ? c.now + 120_000 : undefined;
        if (until !== undefined && seconds !== undefined) {
          c.world.served.set(
            c.key.secret,
            Array.from({ length: c.key.perMinute }, () => c.now),
          );
          strikes.set(c.key.role, 0);
        }
        return seconds;
      });
    },
    probe: async (p) => {
      for (let index = 0; index < 25; index += 1) await p.call('throttled', 'credits.balance');
      await p.advance(0.5);
      let last = await p.call('throttled', 'credits.balance');
      for (let index = 0; index < 5; index += 1) last = await p.call('throttled', 'credits.balance');
      await p.advance((last.body.error as { retry_after_seconds: number }).retry_after_seconds / 60);
      return (await p.call('throttled', 'credits.balance')).status === 429;
    },
  },
  {
    id: 'limit-per-family',
    sentence: 'Requests are counted for each family of tools, by the name before the dot.',
    breaks: ['rate-limit.spans-tools'],
    steps: (s) =>
      around(s, 'wait', (next) => (c) => {
        const family = c.tool.split('.')[0];
        return next({ ...c, key: { ...c.key, secret: `${c.key.secret} ${family}` } });
      }),
    probe: async (p) => {
      for (let index = 0; index < 26; index += 1) await p.call('throttled', 'credits.balance');
      return (await p.call('throttled', 'schedule.read')).status === 200;
    },
  },
  {
    id: 'long-waits-disagree',
    sentence: `Above half a minute \`${headerNames.retryAfter}\` is rounded to the minute, and the body is not.`,
    breaks: ['rate-limit.retry-after-agree'],
    steps: (s) =>
      around(s, 'finish', (next) => async (c, answer) => {
        const given = await next(c, answer);
        const seconds = Number(given.headers[responseHeaders.retryAfter] ?? 0);
        return seconds > 30 ? { ...given, headers: { ...given.headers, [responseHeaders.retryAfter]: '60' } } : given;
      }),
    probe: async (p) => {
      for (let index = 0; index < 25; index += 1) await p.call('throttled', 'credits.balance');
      await p.advance(0.1);
      const { body, headers } = await p.call('throttled', 'credits.balance');
      return (
        (body.error as { retry_after_seconds: number }).retry_after_seconds !==
        Number(headers[responseHeaders.retryAfter])
      );
    },
  },
];

import { describe, expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { httpServer } from '../../test/network.ts';
import { inProcess, overHttp } from '../../test/stub-target.ts';
import { audit } from '../engine/audit.ts';
import { defaultLimit, whatUsedTheTime } from './run-time.ts';
import type { SentExchange } from './sent-exchange.ts';

describe('how long a run may take', () => {
  const most = new Map([
    ['primary', 600],
    ['pinned', 90],
  ] as const);

  test('is 20 minutes where no key is held up', () => {
    expect(defaultLimit(most, () => undefined)).toBe(1200);
    expect(defaultLimit(most, () => ({ calls: 100, windowMs: 60_000 }))).toBe(1200);
  });

  test('is twice the time that the requests of the slowest key need', () => {
    const rateOf = (key: string) => ({ calls: key === 'pinned' ? 1 : 30, windowMs: 60_000 });
    expect(defaultLimit(most, rateOf)).toBe(90 * 60 * (2 / 1.5));
  });
});

test('what used the time counts what overlaps once, and names the most first', () => {
  const exchange = (tool: string, atMs: number, durationMs: number, waitedMs?: number) =>
    ({
      sentAt: atMs,
      receivedAt: atMs + durationMs,
      waitedMs,
      problem: 'none',
      sender: { label: 'primary' },
      request: { tool },
    }) as SentExchange;
  const used = whatUsedTheTime([
    exchange('schedule.read', 0, 3000),
    exchange('schedule.read', 1000, 3000),
    exchange('library.get', 0, 100, 60_000),
    exchange('library.list', 0, 1000),
  ]);
  expect(used).toBe("waiting after 429 with the key 'primary' (60 s), waiting for responses of schedule.read (4 s)");
});

test('a clock that never answers does not outlast the longest duration of a run', async () => {
  const target = inProcess(createStub(), { clock: { advance: () => new Promise(() => {}) } });
  const result = await audit(target, { seed: 1, only: ['expiry'], observe: false, maxDurationSeconds: 2 });
  expect(result.verdict).toBe('inconclusive');
  expect(result.trouble).toEqual([
    expect.stringMatching(/^the run reached its longest duration of 2 s: advancing the clock \(\d s\)/),
  ]);
});

test('waits of Retry-After count towards the longest duration', async () => {
  const stub = createStub();
  const server = await httpServer((_request, response) => {
    const error = { code: 'tenant_mcp.rate_limited', message: 'Wait.', retry_after_seconds: 2 };
    const headers = { 'content-type': 'application/json', 'x-service-api': 'beta', 'retry-after': '2' };
    response.writeHead(429, headers).end(JSON.stringify({ error }));
  });
  await using _ = server;
  const target = { ...overHttp(stub, `http://127.0.0.1:${server.port}`), allow: [] };
  const { clock: __, ...timed } = target;
  const result = await audit(timed, { seed: 1, only: ['schedule'], observe: false, maxDurationSeconds: 3 });
  expect(result.verdict).toBe('inconclusive');
  expect(result.trouble.join()).toMatch(/longest duration of 3 s: .*waiting after 429/);
});

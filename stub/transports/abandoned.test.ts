import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { createStub, type Stub } from '../index.ts';

type Send = (timeout: AbortSignal | null) => Promise<unknown>;

/** Ways in which a client sends a request and reads the response, with a limit of time. */
const transports: Readonly<Record<string, (stub: Stub, target: string, headers: Record<string, string>) => Send>> = {
  'fetch in process': (stub, target, headers) => async (signal) =>
    (await stub.fetch(stub.baseUrl + target, { method: 'POST', headers, signal })).text(),
  HTTP: (stub, target, headers) => {
    const listening = stub.listen({ port: 0 });
    const dispatcher = new Agent();
    return async (signal) => {
      const url = (await listening).baseUrl + target;
      const { body } = await request(url, { method: 'POST', headers, dispatcher, signal });
      return body.text();
    };
  },
};

const slow: readonly (readonly [string, Fault, delivery: string])[] = [
  ['a delayed 429', { retryAfterSeconds: 30, latencyMs: 2000 }, 'abandoned'],
  ['a 429 whose body trickles', { retryAfterSeconds: 30, trickleMs: 2000 }, 'abandoned'],
  ['a 429 that the client gets', { retryAfterSeconds: 30 }, 'whole'],
];

const cases = Object.entries(transports).flatMap(([name, transport]) =>
  slow.map(([what, fault, delivery]) => ({ name, transport, what, fault, delivery })),
);

test.each(cases)('$what, over $name: only a client that got it must wait', async ({ transport, fault, delivery }) => {
  await using stub = createStub();
  const send = transport(stub, '/api/v1/tools/schedule.read', { authorization: `Bearer ${stub.keys.primary}` });
  await send(null);
  stub.faults.add(fault);
  await send(AbortSignal.timeout(50)).catch(() => undefined);
  await wait(200);
  await send(null);
  const limited = stub.journal().events.find((event) => event.kind === 'exchange' && event.fault === 1);
  expect(limited).toMatchObject({ delivery });
  const rule = stub.judgement().requirements.find(({ id }) => id === 'client-limits.retry-after');
  expect(rule?.status === 'not-tested').toBe(delivery === 'abandoned');
});

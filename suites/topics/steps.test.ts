import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { sessionAt } from '../../test/handled-target.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { Completed } from '../exchange/exchange.ts';
import type { RunEvent } from '../result.ts';
import { Unanswered } from '../session/call.ts';
import { VirtualTime } from '../session/virtual-time.ts';
import { deploymentOf } from './deployment.ts';
import { Steps } from './steps.ts';

const startedAt = new Date('2030-01-01T00:00:00Z');

/** Creates steps for stories whose requests `from` to `to`, counted from 1, get no response. */
function stepsWhere(lost: { from: number; to: number }) {
  const stub = createStub({ seed: 1 });
  const waited: number[] = [];
  let requests = 0;
  const dispatcher = createDispatcher((request): StubResponse => {
    requests += 1;
    const response = stub.handle(request);
    return requests >= lost.from && requests <= lost.to ? { ...response, delivery: { cutAtBytes: -1 } } : response;
  });
  const target = inProcess(stub, { dispatcher });
  const onEvent = (event: RunEvent) => event.kind === 'waiting' && waited.push(event.seconds);
  const session = sessionAt(target, { onEvent, timer: skippingTimer(() => undefined) });
  const shared = new Map<string, Promise<Completed>>();
  const story = (name: string, seed = 1, runId = 'run') => {
    const deployment = deploymentOf(target.workspaces, undefined, undefined, startedAt, runId);
    const time = new VirtualTime(session.time, async () => {});
    return new Steps({ story: name, attempt: 1, goesFirst: false, session, target, seed, shared, deployment, time });
  };
  return { story, waited, requests: () => requests };
}

const balance = { tool: 'credits.balance', args: {} };

test('a shared request that gets no response fails one story, and the others send their own', async () => {
  // As many as the attempts after a broken connection.
  const { story, requests } = stepsWhere({ from: 1, to: 4 });
  const ends = await Promise.allSettled(['a', 'b', 'c'].map((name) => story(name).sendOnce('read', balance)));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(ends[0]).toMatchObject({ reason: expect.any(Unanswered) });
  await story('d').sendOnce('read', balance);
  expect(requests()).toBe(5);
});

test('of requests side by side, only one that intermediaries refuse may get no response', async () => {
  const odd = { tool: 'schedule.read%00', args: {} };
  const responses = await stepsWhere({ from: 2, to: 9 }).story('a').sendInParallel('ask', [balance, odd]);
  expect(responses.map(({ request }) => request.tool)).toEqual([balance.tool]);
  const ordinary = stepsWhere({ from: 1, to: 4 }).story('a').sendInParallel('ask', [balance]);
  await expect(ordinary).rejects.toThrow(Unanswered);
});

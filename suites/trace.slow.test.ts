import { expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import { inProcess, overHttp } from '../test/stub-target.ts';
import { audit } from './engine/audit.ts';
import type { RunResult } from './result.ts';
import type { Target } from './target/target.ts';

const statuses = ({ verdict, requirements }: RunResult) => [
  verdict,
  ...requirements.map(({ id, status }) => `${id}: ${status}`),
];

async function ofStub(more: Partial<Target>) {
  await using stub = createStub();
  const { baseUrl } = await stub.listen();
  const result = await audit(overHttp(stub, baseUrl, more), { seed: 1 });
  return { result, headers: headersOf(stub) };
}

/** The value of the header in each request that the stub received; undefined without the header. */
function headersOf(stub: Stub): (string | undefined)[] {
  const { events } = stub.journal();
  return events.flatMap((event) => {
    return event.kind === 'exchange' ? [new Map(event.request.headers).get('traceparent')] : [];
  });
}

test('over HTTP, the header changes no verdict, and the report has the IDs of each request', async () => {
  const [traced, untraced] = [await ofStub({}), await ofStub({ trace: false })];
  expect(statuses(traced.result)).toEqual(statuses(untraced.result));
  expect(new Set(untraced.headers)).toEqual(new Set([undefined]));
  // The journal leaves out the last headers of a request with many of them.
  const kept = traced.headers.filter((value) => value !== undefined);
  expect(kept.length).toBeGreaterThan(traced.headers.length - 5);
  expect(new Set(kept).size).toBe(kept.length);
  const { exchanges } = traced.result;
  for (const { trace, request, curl } of exchanges) {
    expect(kept).toContain(`00-${trace?.traceId}-${trace?.spanId}-01`);
    expect(JSON.stringify([request, curl])).not.toContain('traceparent');
  }
  const stories = new Map(exchanges.map(({ step = '', trace }) => [step.split(': ')[0], trace?.traceId]));
  expect(new Set(stories.values()).size).toBe(stories.size);
  expect(untraced.result.exchanges.filter(({ trace }) => trace !== undefined)).toEqual([]);
});

test('two runs with one seed have different trace IDs', async () => {
  const run = (ms: number) =>
    audit(inProcess(createStub({ defects: ['days-empty'] })), {
      seed: 1,
      only: ['schedule'],
      startedAt: new Date(ms),
    });
  const [one, other] = [await run(Date.now()), await run(Date.now() + 60_000)];
  const ids = [one, other].map(({ exchanges }) => exchanges.map(({ trace }) => trace?.traceId));
  expect(ids[0]?.length).toBeGreaterThan(0);
  expect(ids[0]?.filter((id) => ids[1]?.includes(id))).toEqual([]);
});

test('the configuration can set the header itself', async () => {
  const stub = createStub({ defects: ['days-empty'] });
  const value = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
  const target = inProcess(stub, { headers: [{ name: 'Traceparent', value }] });
  const { exchanges } = await audit(target, { seed: 1, only: ['schedule'] });
  expect(exchanges.filter(({ trace }) => trace !== undefined)).toEqual([]);
  expect(new Set(headersOf(stub))).toEqual(new Set([value]));
});

import { describe, expect, test } from 'vitest';
import type { Example } from '../../fixtures/contract/tools/tool.ts';
import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import { isRecord } from '../../suites/json.ts';
import { clientOf } from '../../test/stub/client.ts';
import { standingClock } from '../../test/stub/standing-clock.ts';
import { createStub } from '../index.ts';
import { bodyLimitBytes } from './handle.ts';

/** Reduces a value to the members that an example shows. Examples show only the first items of a list. */
function asShown(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shown)) {
    return value.slice(0, shown.length).map((item, index) => asShown(item, shown[index]));
  }
  if (!isRecord(value) || !isRecord(shown)) return value;
  return Object.fromEntries(Object.keys(shown).map((name) => [name, asShown(value[name], shown[name])]));
}

describe('requests that are copied from the description work in the stub, and are answered as it shows', () => {
  test.each(toolNames)('%s', (tool: ToolName) => {
    const call = clientOf(createStub({ now: '2027-03-08T09:00:00Z' }));
    for (const { summary, request, response } of Object.values<Example<object>>(tools[tool].examples)) {
      expect(asShown(call(tool, request).body, response), summary).toEqual(response);
    }
  });
});

test('a key may send 600 requests per minute or what was configured, and the throttled key 30', () => {
  const served = (rateLimit?: number) => {
    const call = clientOf(createStub({ clock: standingClock, ...(rateLimit === undefined ? {} : { rateLimit }) }));
    return (role: 'primary' | 'throttled') => {
      let calls = 0;
      while (call('credits.balance', {}, { role }).status === 200) calls += 1;
      return calls;
    };
  };
  expect(served()('primary')).toBe(600);
  const capped = served(5);
  expect([capped('primary'), capped('throttled')]).toEqual([5, 5]);
  expect(served(1000)('throttled')).toBe(30);
});

test('requests with a bad key or a closed one count toward no rate limit', () => {
  const call = clientOf(createStub({ clock: standingClock }));
  for (let calls = 0; calls < 700; calls++) {
    expect(call('credits.balance', {}, { role: 'revoked' }).status).toBe(401);
    expect(call('credits.balance', {}, { role: 'withoutAccess' }).status).toBe(403);
  }
});

const call = clientOf(createStub({ rateLimit: 10_000 }));
const send = (raw: string | Uint8Array) => call('credits.balance', undefined, { raw });

test('a body beyond the limit is not looked at', () => {
  const filled = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
  expect(send(filled(bodyLimitBytes)).status).toBe(200);
  expect(send(filled(bodyLimitBytes + 1)).status).toBe(413);
});

test('nesting as deep as a body can hold is refused or read, and never a fault', () => {
  const depth = 100_000;
  expect(send(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`).status).toBe(200);
  expect(send('['.repeat(depth)).status).toBe(400);
});

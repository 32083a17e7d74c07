import { expect, test } from 'vitest';
import { clientOf } from '../../test/stub/client.ts';
import { createStub } from '../index.ts';
import { bodyLimitBytes } from './handle.ts';

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

import { expect, test } from 'vitest';
import { clientOf } from '../../../test/stub/client.ts';
import { createCore } from '../../core.ts';
import { bodyLimitBytes } from '../handle.ts';

const call = clientOf(createCore({ rateLimit: 10_000 }));
const send = (raw: string | Uint8Array) => call('credits.balance', undefined, { raw });

const malformed: Record<string, string | Uint8Array> = {
  'no JSON': 'hello',
  'half an object': '{"a":',
  text: '"x"',
  'a number': '7',
  truth: 'true',
  null: 'null',
  'an empty array': '[]',
  'an array of an object': '[{}]',
  'white space alone': ' \n',
  'bytes that are no UTF-8': Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
};

test.each(Object.entries(malformed))('%s is a malformed body', (_name, raw) => {
  const { status, headers, body } = send(raw);
  expect(status).toBe(400);
  expect(headers['x-service-api']).toBe('beta');
  expect(body).toEqual({ error: { code: 'tenant_api.malformed_body', message: expect.any(String) } });
});

test('no body and an empty object are the same', () => {
  expect(call('credits.balance').body).toEqual(call('credits.balance', {}).body);
  expect(send('').body.ok).toBe(true);
});

test('a large array is too large a batch', () => {
  const { status, body } = send(JSON.stringify(Array.from({ length: 10_000 }, () => 0)));
  expect(status).toBe(400);
  expect(body.error.code).toBe('tenant_mcp.batch_too_large');
});

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

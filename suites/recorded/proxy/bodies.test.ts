import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Body, Budget } from './bodies.ts';

const megabyte = 1_000_000;

test.each([
  ['600 bodies that stay open', 600, megabyte - 1, 1],
  ['a body of single bytes', 1, 1, megabyte],
] as const)('%s share one budget, and give it back', (_, count, bytes, chunks) => {
  const budget = new Budget();
  const bodies = Array.from({ length: count }, () => new Body(budget, []));
  const chunk = Buffer.alloc(bytes);
  let most = 0;
  for (const body of bodies) {
    for (let sent = 0; sent < chunks; sent += 1) {
      body.add(chunk);
      most = Math.max(most, budget.weight);
    }
  }
  expect(most).toBeLessThanOrEqual(64 * megabyte);
  expect(bodies.at(-1)?.take()).toBe(undefined);
  for (const body of bodies) body.take();
  expect(budget.weight).toBe(0);
});

test('a body is decoded, and a longer one than 1 MB is not kept', () => {
  const of = (bytes: Buffer) => {
    const body = new Body(new Budget(), []);
    body.add(bytes);
    return body;
  };
  expect(of(gzipSync('{}')).take('gzip')).toBe('{}');
  expect(of(gzipSync('{}')).take('br')).toBe(undefined);
  expect(of(deflateRawSync(gzipSync('{}'))).take('X-GZIP, deflate')).toBe('{}');
  expect(of(Buffer.from('{}')).take('lz4')).toBe(undefined);
  expect(of(gzipSync(Buffer.alloc(2 * megabyte))).take('gzip')).toBe(undefined);
  expect(of(Buffer.alloc(megabyte + 1)).take()).toBe(undefined);
});

import { expect, test } from 'vitest';
import { traceOf, traceparentOf } from './sent-exchange.ts';

test('the header has the form of the W3C Trace Context', () => {
  expect(traceparentOf(traceOf('4fk2m9xq', 'used id', 7))).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
});

test('one story of one run is one trace, and each request is a span', () => {
  const [first, second] = [traceOf('run', 'story', 0), traceOf('run', 'story', 1)];
  expect(first.traceId).toBe(second.traceId);
  expect(first.spanId).not.toBe(second.spanId);
  const others = [traceOf('run', 'other story', 0), traceOf('other run', 'story', 0)];
  expect(new Set([first, ...others].map(({ traceId }) => traceId)).size).toBe(3);
});

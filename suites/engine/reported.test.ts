import { expect, test } from 'vitest';
import { answered } from '../../test/history.ts';
import { Reported } from './reported.ts';

test('a long body is cut in the report, and the report says where', () => {
  const reported = new Reported();
  const long = answered({ body: 'ä'.repeat(100_000) });
  expect(reported.refer([long, long])).toEqual([1, 1]);
  const [exchange] = reported.list();
  expect(exchange?.response?.body).toHaveLength(65_536);
  expect(exchange?.response?.cutAtBytes).toBe(131_072);
});

import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Exchange } from '../exchange.ts';

/** Seconds that `Retry-After` asks to wait; undefined where it is absent or not a whole number of at least 1. */
export function retryAfterSeconds(exchange: Exchange): number | undefined {
  const values =
    exchange.answer?.headers.filter(([name]) => name === responseHeaders.retryAfter).map(([, value]) => value) ?? [];
  const [value] = values;
  if (values.length !== 1 || value === undefined || !/^\d+$/.test(value)) return undefined;
  const seconds = Number(value);
  return seconds >= 1 ? seconds : undefined;
}

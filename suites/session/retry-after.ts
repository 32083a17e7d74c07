import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { SentExchange } from './sent-exchange.ts';

/** Returns the seconds of `Retry-After`; undefined unless there is one value, a whole number of at least 1. */
export function retryAfterSeconds(exchange: SentExchange): number | undefined {
  const values =
    exchange.response?.headers.filter(([name]) => name === responseHeaders.retryAfter).map(([, value]) => value) ?? [];
  const [value] = values;
  if (values.length !== 1 || value === undefined || !/^\d+$/.test(value)) return undefined;
  const seconds = Number(value);
  return seconds >= 1 ? seconds : undefined;
}

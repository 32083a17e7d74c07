import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import type { Completed } from '../../history/exchange.ts';
import { member } from '../../json.ts';

/** Seconds that `Retry-After` asks to wait; undefined where it is absent or not a whole number of at least 1. */
export function retryAfter({ response }: Completed): number | undefined {
  const [value, ...more] = response.headers
    .filter(([name]) => name === responseHeaders.retryAfter)
    .map(([, text]) => text);
  return value !== undefined && more.length === 0 && /^0*[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

/** What the body says of the same. */
export const retryAfterInBody = ({ response }: Completed) => member(response.json, 'error', 'retry_after_seconds');

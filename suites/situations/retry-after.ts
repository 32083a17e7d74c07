import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Completed } from '../history/exchange.ts';
import { member } from '../json.ts';

/** Returns the seconds of `Retry-After`; undefined unless there is one value, a whole number of at least 1. */
export function retryAfter({ response }: Completed): number | undefined {
  const [value, ...more] = response.headers
    .filter(([name]) => name === responseHeaders.retryAfter)
    .map(([, text]) => text);
  return value !== undefined && more.length === 0 && /^0*[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

/** Returns the wait that the body states. */
export const retryAfterInBody = ({ response }: Completed) => member(response.json, 'error', 'retry_after_seconds');

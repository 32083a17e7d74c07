import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { member } from '../json.ts';
import type { Completed, Headers } from './exchange.ts';

/** Returns the seconds of `Retry-After`; undefined unless there is one value, a whole number of at least 1. */
export function retryAfter({ response }: { response: { headers: Headers } | null }): number | undefined {
  const values = response?.headers.filter(([name]) => name === responseHeaders.retryAfter) ?? [];
  const [[, value] = ['', '']] = values;
  return values.length === 1 && /^0*[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

/** Returns the wait that the body states. */
export const retryAfterInBody = ({ response }: Completed) => member(response.json, 'error', 'retry_after_seconds');

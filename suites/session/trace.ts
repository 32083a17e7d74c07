import { createHash } from 'node:crypto';

/** IDs of a request in the W3C Trace Context. */
export interface Trace {
  /** Shared by the requests that one story of a run sends. */
  readonly traceId: string;
  readonly spanId: string;
}

/** Name of the request header with the IDs. */
export const traceHeader = 'traceparent';

/** Returns the IDs of a request. They depend only on the run, the story and the number of the request in the run. */
export function traceOf(runId: string, story: string, seq: number): Trace {
  const traceId = hexOf(`${runId} ${story}`, 32);
  return { traceId, spanId: hexOf(`${traceId} ${seq}`, 16) };
}

/** Returns the value of the header. The last part asks the service to record the trace. */
export function traceparentOf({ traceId, spanId }: Trace): string {
  return `00-${traceId}-${spanId}-01`;
}

function hexOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

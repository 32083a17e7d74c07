import { isRefusable } from '../history/intermediaries.ts';
import { retryAfter } from '../history/retry-after.ts';
import type { Pace } from '../target.ts';
import type { Gate } from './gate.ts';
import type { Patience } from './patience.ts';
import type { RunTime } from './run-time.ts';
import type { SentExchange } from './sent-exchange.ts';

/** Statuses with which a gateway reports that the server behind it is unavailable. */
const ofGateway: readonly number[] = [502, 503, 504];

/**
 * Returns the seconds to wait after a 5xx: the value of `Retry-After`, or 1 after a gateway error; otherwise undefined.
 */
function secondsOf(exchange: SentExchange): number | undefined {
  const status = exchange.response?.status ?? 0;
  if (status < 500 || isRefusable(exchange.request)) return undefined;
  return retryAfter(exchange) ?? (ofGateway.includes(status) ? 1 : undefined);
}

/** Pauses all requests after a 5xx that shows an outage. */
export function heedOutage(
  exchange: SentExchange,
  gate: Gate,
  patience: Patience,
  time: RunTime,
  { maxWaitSeconds }: Pace,
): void {
  const seconds = secondsOf(exchange);
  // An ordinary 500 does not show that an outage is over.
  if ((exchange.response?.status ?? 0) < 500) gate.resume();
  if (seconds === undefined) return;
  const waited = seconds > maxWaitSeconds || !patience.waitsOutage(seconds) ? 0 : seconds;
  patience.unavailable(exchange, time.elapsedMs() + waited * 1000);
  if (waited === 0) return;
  gate.pause(waited);
  time.tellWait(`the deployment responded with ${exchange.response?.status}`, waited);
}

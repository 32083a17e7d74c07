import type { Exchange } from '../exchange.ts';
import { isRefusable } from '../history/intermediaries.ts';
import type { Pace } from '../target.ts';
import type { Gate } from './gate.ts';
import type { Patience } from './patience.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { RunTime } from './run-time.ts';

/** Statuses by which a gateway says that the server behind it does not answer for now. */
const ofGateway: readonly number[] = [502, 503, 504];

/** Seconds to wait after a 5xx: what `Retry-After` says, or 1 after that of a gateway; undefined after any other. */
function secondsOf(exchange: Exchange): number | undefined {
  const status = exchange.answer?.status ?? 0;
  if (status < 500 || isRefusable(exchange.request)) return undefined;
  return retryAfterSeconds(exchange) ?? (ofGateway.includes(status) ? 1 : undefined);
}

/** Holds every request back where a 5xx says that the deployment does not answer for now. */
export function heedOutage(
  exchange: Exchange,
  gate: Gate,
  patience: Patience,
  time: RunTime,
  { maxWaitSeconds }: Pace,
): void {
  const seconds = secondsOf(exchange);
  // An ordinary 500 does not show that an outage is over.
  if ((exchange.answer?.status ?? 0) < 500) gate.resume();
  if (seconds === undefined) return;
  const waited = seconds > maxWaitSeconds || !patience.waitsOutage(seconds) ? 0 : seconds;
  patience.unavailable(exchange, time.elapsedMs() + waited * 1000);
  if (waited === 0) return;
  gate.pause(waited);
  time.tellWait(`the deployment responded with ${exchange.answer?.status}`, waited);
}

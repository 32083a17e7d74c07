import { byOthers, type Finding } from '../expectations/finding.ts';
import { type Completed, header } from '../history/exchange.ts';

/** Milliseconds from the request to the whole response. Undefined if a recording does not tell. */
export function durationMs({ sentAt, receivedAt }: Completed): number | undefined {
  const duration = receivedAt - sentAt;
  return Number.isFinite(duration) ? duration : undefined;
}

/**
 * The whole response arrived within so many milliseconds. A pause of the network can explain a slow response, so the
 * finding counts from the third one of the rule.
 */
export function respondsWithin(exchange: Completed, most: number, hint: string): Finding | undefined {
  const duration = durationMs(exchange);
  if (duration === undefined || duration <= most) return undefined;
  return {
    expected: `a response within ${most} ms`,
    actual: `a response of ${exchange.request.tool ?? 'another path'} after more than ${most} ms`,
    hint,
    exchanges: [exchange],
    refutable: byOthers,
  };
}

/** A header with any value that is not empty. */
export function hasHeader(exchange: Completed, name: string, hint: string): Finding | undefined {
  const value = header(exchange, name);
  if (value !== undefined && value.trim() !== '') return undefined;
  return {
    expected: `a header ${name}`,
    actual: value === undefined ? `no header ${name}` : `an empty header ${name}`,
    hint,
    exchanges: [exchange],
  };
}

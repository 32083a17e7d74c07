import { member } from '../../suites/json.ts';
import { dayOf } from '../server/state/calendar.ts';
import { isTime, resultOf, type ToolExchange } from './exchanges.ts';

/** Maximum difference that the latency and the precision of `Date` explain. */
const preciseMs = 60_000;

const weekMs = 7 * 86_400_000;

/**
 * Returns the difference between the clock of the deployment and the times of a recording, in milliseconds. The header
 * `Date` shows it. A test clock is different from `Date`, so the week of the first schedule takes precedence.
 */
export function clockOffset(exchanges: readonly ToolExchange[]): number {
  const dated = exchanges.find(({ response }) => isTime(response?.date ?? Number.NaN));
  const ahead = dated === undefined ? 0 : (dated.response?.date ?? dated.at) - dated.at;
  const offset = Math.abs(ahead) > preciseMs ? ahead : 0;
  const scheduled = exchanges.find((exchange) => exchange.tool === 'schedule.read' && resultOf(exchange));
  const days = member(scheduled && resultOf(scheduled), 'days');
  if (scheduled === undefined || !Array.isArray(days) || days.includes(dayOf(scheduled.at + offset))) return offset;
  const weekStart = Date.parse(String(days[0]));
  if (!isTime(weekStart)) return offset;
  return Math.max(weekStart, ...publishedIn(weekStart, scheduled)) - scheduled.at;
}

/** Returns the times of the published pieces of a week. */
function publishedIn(weekStart: number, scheduled: ToolExchange): number[] {
  const pieces = member(resultOf(scheduled), 'pieces');
  return (Array.isArray(pieces) ? pieces : [])
    .filter((piece) => member(piece, 'state') === 'published')
    .map((piece) => Date.parse(String(member(piece, 'scheduled_for'))))
    .filter((time) => time >= weekStart && time < weekStart + weekMs);
}

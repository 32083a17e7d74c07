import { aboutLifetime } from '../../fixtures/contract/limits.ts';
import { dispatches } from './confirmations.ts';
import { declinedForCredits } from './match/declined.ts';
import { describe } from './match/responses.ts';
import { atHome, deadMinutes, isCorrect, isFresh, presented } from './presentation.ts';
import { type Rule, rule } from './rule.ts';
import { isDispatch } from './seen/ids.ts';

/** How long a confirmation lives. */
export const expiry: readonly Rule[] = [
  rule('expiry.alive-early', {
    applies: (exchange, seen) => {
      const it = presented(exchange, seen);
      return (
        it !== undefined && it.minutes !== undefined && isCorrect(it) && !isFresh(it) && !declinedForCredits(exchange)
      );
    },
    twin: (_, seen) => ({ succeeded: seen.ids.anyDispatched, promisedBy: 'confirmations.dispatched' }),
    expect: (exchange, seen) => {
      const finding = dispatches(
        exchange,
        seen,
        `Expire a confirmation ${aboutLifetime} after it is issued: check the lifetime and its unit.`,
      );
      const { issued, minutes = 0 } = presented(exchange, seen) ?? {};
      const expected = `${finding?.expected}, ${Math.round(minutes)} minutes after the proposal`;
      return finding && { ...finding, expected, exchanges: [...(issued ? [issued.proposal] : []), exchange] };
    },
  }),
  rule('expiry.dead-late', {
    applies: (exchange, seen) => {
      const it = presented(exchange, seen);
      return it?.minutes !== undefined && it.minutes >= deadMinutes && atHome(it) && !it.used;
    },
    twin: (_, seen) => ({ succeeded: seen.ids.anyDispatched, promisedBy: 'confirmations.dispatched' }),
    expect: (exchange, seen) => {
      if (!isDispatch(exchange)) return undefined;
      const proposal = presented(exchange, seen)?.issued?.proposal;
      return {
        expected: `no dispatch ${deadMinutes} minutes after the proposal`,
        actual: describe(exchange),
        hint: `Expire a confirmation ${aboutLifetime} after it is issued: compare that time when the id is presented.`,
        exchanges: proposal === undefined ? [exchange] : [proposal, exchange],
      };
    },
  }),
];

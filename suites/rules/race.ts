import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Completed } from '../history/exchange.ts';
import { declinedForCredits } from './match/declined.ts';
import { refuses } from './match/responses.ts';
import { type Presented, presented } from './presentation.ts';
import { type Rule, rule } from './rule.ts';
import { isDispatch, outcomeOf } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

/** A presentation that overlapped with others of the same id. */
function raced(exchange: Completed, seen: Seen): Presented | undefined {
  const it = presented(exchange, seen);
  return it !== undefined && it.during.length > 0 && it.before.length === 0 ? it : undefined;
}

/** Simultaneous confirmations of one id. */
export const race: readonly Rule[] = [
  rule('race.one-dispatches', {
    // Once all that were sent together have been answered.
    applies: (exchange, seen) => {
      const it = raced(exchange, seen);
      return it !== undefined && (isDispatch(exchange) || it.during.length + 1 >= exchange.together);
    },
    expect: (exchange, seen) => {
      const others = raced(exchange, seen)?.during ?? [];
      const all = [...others, { exchange, outcome: outcomeOf(exchange) }];
      const dispatched = all.filter(({ outcome }) => outcome === 'dispatched');
      const mayHaveRun = all.some(({ outcome }) => outcome === 'unknown');
      const unpaid = all.some(
        (each) => each.exchange.response !== null && declinedForCredits(each.exchange as Completed),
      );
      const complete = seen.knowledge.complete && exchange.together > 1 && all.length >= exchange.together;
      const none = dispatched.length === 0 && complete && !mayHaveRun && !unpaid;
      if (dispatched.length === 1 || (dispatched.length === 0 && !none)) return undefined;
      return {
        expected: `1 of ${all.length} simultaneous confirmations to dispatch`,
        actual: `${dispatched.length} dispatched`,
        hint: 'Find and consume the id in one atomic step: a look-up followed by an update lets several through.',
        shaky: dispatched.length === 0 && seen.knowledge.clockShared,
        exchanges: (dispatched.length > 0 ? dispatched : all)
          .map((each) => each.exchange)
          .filter((each): each is Completed => each.response !== null)
          .slice(-4),
      };
    },
  }),
  rule('race.others-invalid', {
    applies: (exchange, seen) =>
      raced(exchange, seen) !== undefined && !isDispatch(exchange) && declinedForCredits(exchange) === undefined,
    twin: (exchange, seen) => ({
      succeeded: raced(exchange, seen)?.during.some(({ outcome }) => outcome === 'dispatched') === true,
      promisedBy: 'race.one-dispatches',
    }),
    expect: (exchange) =>
      refuses(
        exchange,
        refusalCodes.confirmationInvalid,
        `Dispatch one of them; return ${refusalCodes.confirmationInvalid} to all others.`,
      ),
  }),
];

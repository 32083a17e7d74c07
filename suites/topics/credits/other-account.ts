import type { Completed } from '../../history/exchange.ts';
import { row } from '../../model/row.ts';
import { balanceOf, type Interval, isFall } from '../../situations/balances.ts';
import type { Seen } from '../../situations/seen.ts';
import { otherSpender } from './compare-balances.ts';

const role = 'otherAccount';

/** Dispatches to compare. A single change may be due to another client of the other account. */
const leastTimes = 2;

/** Returns the intervals between readings of the other account in which only the account of `primary` spent. */
const spentBetween = (seen: Seen) =>
  clearIntervals(seen).filter(({ dispatches }) => dispatches.length > 0 && dispatches.every(isOwn));

/** Returns the intervals between readings of the other account in which nobody spent. */
const freeBetween = (seen: Seen) => clearIntervals(seen).filter(({ dispatches }) => dispatches.length === 0);

const clearIntervals = ({ balances }: Seen): Interval[] => balances.intervalsOf(role).filter(({ unclear }) => !unclear);

const isOwn = ({ sender }: Completed) => sender.role !== role;

/** Whether the intervals show something. A single fall does not. */
const decides = (spent: readonly Interval[]) => spent.length >= leastTimes || !spent.every(isFall);

export const otherAccountUnchanged = row('credits.other-account-unchanged', {
  must: 'The server MUST NOT charge one account for the images of another.',
  source: 'Credit balance; What the service does, rule 2',
  severity: 'data-isolation',
  otherClient: otherSpender,
  applies: (exchange, seen) =>
    exchange.sender.role === role &&
    balanceOf(exchange) !== undefined &&
    seen.knowledge.complete &&
    decides(spentBetween(seen)),
  expect: (exchange, seen) => {
    const spent = spentBetween(seen);
    // Another client would also change the balance at other times, or leave it unchanged over a short interval.
    const last = spent.at(-1);
    if (last === undefined || !spent.every(isFall)) return undefined;
    const free = freeBetween(seen);
    if (free.length < leastTimes || free.some(isFall)) return undefined;
    return {
      at: 'exchanges',
      want: { oneOf: [last.from.value] },
      got: last.to.value,
      expected: `the balance of the other account to stay at ${last.from.value}`,
      actual: `${last.to.value}, and it fell over ${spent.length} dispatches by the account of the role 'primary'`,
      hint: 'Charge the account of the key that confirms, and no other.',
      // The amounts exclude another client, unless the balance shows one.
      refutable: { by: 'others', times: 1 },
      exchanges: [last.from.exchange, ...last.dispatches.slice(0, 1), last.to.exchange, exchange],
    };
  },
});

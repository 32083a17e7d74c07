import { body, type Completed, precedes } from '../../history/exchange.ts';
import { row } from '../../model/row.ts';
import { balanceOf, type Interval } from '../../situations/balances.ts';
import { presentedId } from '../../situations/ids.ts';
import type { Seen } from '../../situations/seen.ts';
import { otherSpender } from '../credits/compare-balances.ts';

/** A dispatch between two readings of the balance. */
interface Charge {
  readonly interval: Interval;
  readonly dispatch: Completed;
  readonly amount: number;
  /** Numbers of images that were proposed, and that the confirmation names. */
  readonly proposed: number;
  readonly presented: number;
  /** What the price may depend on. */
  readonly place: string;
}

/** Returns what the price of a dispatch may depend on; undefined if its proposal is unknown. */
export function placeOf(dispatch: Completed, seen: Seen): string | undefined {
  const args = seen.ids.issued(presentedId(dispatch) ?? '')?.proposal.request.args;
  if (args === undefined || args === null || args.count !== dispatch.request.args?.count) return undefined;
  return JSON.stringify([args.workspace, args.board, args.shape, args.count]);
}

export const amountOf = ({ from, to }: Interval) => from.value - to.value;

/** Returns the charge of one unchanged dispatch. Undefined if charges differ: a server may charge some time later. */
export function usualAmount(place: string, seen: Seen): number | undefined {
  const amounts = seen.balances.intervalsOf('primary').flatMap((interval) => {
    const [dispatch, another] = interval.dispatches;
    const isSingle = !interval.unclear && dispatch !== undefined && another === undefined;
    // Otherwise, a charge for a refused confirmation would seem usual.
    const isAlone = interval.harmless.every((each) => presentedId(each) === undefined);
    return isSingle && isAlone && placeOf(dispatch, seen) === place ? [amountOf(interval)] : [];
  });
  return amounts.every((amount) => amount === amounts[0]) ? amounts[0] : undefined;
}

function chargeOf(interval: Interval, seen: Seen): Charge | undefined {
  const [dispatch, another] = interval.dispatches;
  if (interval.unclear || dispatch === undefined || another !== undefined) return undefined;
  const args = seen.ids.issued(presentedId(dispatch) ?? '')?.proposal.request.args;
  if (args === undefined || args === null) return undefined;
  const [proposed, presented] = [Number(args.count), Number(dispatch.request.args?.count)];
  const place = JSON.stringify([args.workspace, args.board, args.shape]);
  return { interval, dispatch, amount: interval.from.value - interval.to.value, proposed, presented, place };
}

/** Returns the charges of `primary` that belong to a single dispatch. */
const charged = (seen: Seen): Charge[] =>
  seen.balances.intervalsOf('primary').flatMap((interval) => chargeOf(interval, seen) ?? []);

/** Whether a changed confirmation ran as proposed. Another requirement covers a changed run. */
const isChanged = ({ dispatch, presented, proposed }: Charge) =>
  presented !== proposed && body(dispatch).count === proposed;

/**
 * Returns the charge of a changed confirmation that a reading shows, together with the usual one. The unchanged
 * confirmation may come later.
 */
function changedCharge(exchange: Completed, seen: Seen): (Charge & { usual: Charge }) | undefined {
  if (exchange.sender.role !== 'primary' || balanceOf(exchange) === undefined || !seen.knowledge.complete) return;
  for (const charge of charged(seen).filter(isChanged)) {
    const usual = usualCharge(charge, seen);
    if (usual === undefined) continue;
    const later = precedes(charge.interval.to.exchange, usual.interval.to.exchange) ? usual : charge;
    if (later.interval.to.exchange === exchange) return { ...charge, usual };
  }
  return;
}

/**
 * Returns the charge of an unchanged confirmation of as many images in the same place. Returns undefined if the
 * charges differ, because a server may charge some time after a dispatch.
 */
function usualCharge({ place, proposed }: Charge, seen: Seen): Charge | undefined {
  const charges = charged(seen).filter(
    (one) => one.place === place && one.proposed === proposed && one.presented === proposed,
  );
  const [first] = charges;
  return charges.every(({ amount }) => amount === first?.amount) ? first : undefined;
}

/** The specification states no price, so only the exact price of the changed count is a violation. */
export const chargedAsProposed = row('confirmations.charged-as-proposed', {
  must: 'The server MUST charge for the proposed `count` even if the confirmation changes it.',
  source: 'Confirmation of a spending action, rule 1',
  severity: 'spends-money',
  otherClient: otherSpender,
  applies: (exchange, seen) => changedCharge(exchange, seen) !== undefined,
  expect: (exchange, seen) => {
    const charge = changedCharge(exchange, seen);
    if (charge === undefined) return undefined;
    const { amount, proposed, presented, interval, dispatch, usual } = charge;
    if (amount === usual.amount || amount * proposed !== usual.amount * presented) return undefined;
    return {
      at: 'exchanges',
      want: { charge: usual.amount },
      got: { charge: amount },
      expected: `a charge of ${usual.amount}, as for the same proposal without a change`,
      actual: `a charge of ${amount}, as for the changed count`,
      hint: 'Compute the charge from the stored proposal, not from the arguments of the second call.',
      // Another client may spend exactly the difference, but hardly twice.
      refutable: { by: 'others', times: 2 },
      exchanges: [usual.dispatch, interval.from.exchange, dispatch, interval.to.exchange],
    };
  },
});

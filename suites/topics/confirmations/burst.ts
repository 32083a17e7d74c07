import type { KitFinding } from '../../expectations/finding.ts';
import type { Completed } from '../../history/exchange.ts';
import { row } from '../../model/row.ts';
import { balanceOf, type Interval } from '../../situations/balances.ts';
import { outcomeOf, presentedId } from '../../situations/ids.ts';
import type { Seen } from '../../situations/seen.ts';
import { counted } from '../../usage/counted.ts';
import { askBalance, balanceIn, otherSpender } from '../credits/compare-balances.ts';
import { confirming, type Proposal, propose } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { amountOf, placeOf, usualAmount } from './charged.ts';
import { needs } from './matchers.ts';

/** Different proposals that are confirmed at once. Two suffice to lose an update of the balance. */
const atOnce = 2;

/** Confirmations in an interval between two readings by `primary`, and what as many cost one by one. */
interface Bill {
  readonly interval: Interval;
  readonly amount: number;
  /** What the dispatches cost one by one. */
  readonly usual: number;
  readonly refused: readonly Completed[];
}

/** Returns the bill of an interval; undefined unless all its dispatches have a known usual charge. */
function billOf(interval: Interval, seen: Seen): Bill | undefined {
  const [first] = interval.dispatches;
  if (interval.unclear || first === undefined) return;
  const places = new Set(interval.dispatches.map((dispatch) => placeOf(dispatch, seen)));
  const [place] = places;
  const usual = places.size === 1 && place !== undefined ? usualAmount(place, seen) : undefined;
  if (usual === undefined || usual <= 0) return;
  const refused = interval.harmless.filter((each) => presentedId(each) !== undefined && outcomeOf(each) !== 'limited');
  return { interval, amount: amountOf(interval), usual: usual * interval.dispatches.length, refused };
}

/** Bills that a requirement covers, and those among them that break the requirement. */
interface Kind {
  readonly covers: (bill: Bill) => boolean;
  readonly breaks: (bill: Bill) => boolean;
}

const withRefusals: Kind = {
  covers: ({ refused }) => refused.length > 0,
  breaks: ({ amount, usual }) => amount > usual,
};

const ofSeveral: Kind = {
  covers: ({ interval }) => interval.dispatches.length > 1,
  // The other requirement covers charges for refused confirmations.
  breaks: ({ amount, usual, refused }) => amount < usual || (amount > usual && refused.length === 0),
};

/** Whether the charge is too low, although another single dispatch cost the usual amount, too. */
const isLost = ({ amount, usual, interval }: Bill, bills: readonly Bill[]) =>
  amount < usual &&
  bills.filter((one) => one.interval.dispatches.length === 1 && one.amount * interval.dispatches.length === usual)
    .length > 1;

/**
 * Returns the bill that a reading of `primary` ends, if it decides: it is correct, or all bills of its kind are wrong,
 * at least two. A single wrong bill may be due to another client. However, no other client lowers a charge.
 */
function decidingBill(exchange: Completed, seen: Seen, { covers, breaks }: Kind): Bill | undefined {
  if (exchange.sender.role !== 'primary' || balanceOf(exchange) === undefined || !seen.knowledge.complete) return;
  const bills = seen.balances.intervalsOf('primary').flatMap((interval) => billOf(interval, seen) ?? []);
  const ofKind = bills.filter(covers);
  const bill = ofKind.find(({ interval }) => interval.to.exchange === exchange);
  const isRepeated = (ofKind.length > 1 && ofKind.every(breaks)) || (bill !== undefined && isLost(bill, bills));
  return bill !== undefined && (isRepeated || !breaks(bill)) ? bill : undefined;
}

function finding({ interval, amount, usual }: Bill, others: readonly Completed[], hint: string): KitFinding {
  return {
    at: 'exchanges',
    want: { charge: usual },
    got: { charge: amount },
    expected: `a charge of ${usual} for ${counted(interval.dispatches.length, 'dispatch', 'dispatches')}`,
    actual: `a charge of ${amount}`,
    hint,
    // The amounts exclude another client, unless the balance shows one.
    refutable: { by: 'others', times: 1 },
    exchanges: [
      interval.from.exchange,
      ...interval.dispatches.slice(0, 3),
      ...others.slice(0, 1),
      interval.to.exchange,
    ],
  };
}

/** Sends requests between two readings of the balance. Returns the difference. */
async function chargeFor(t: Steps, act: () => Promise<unknown>): Promise<number> {
  const before = await t.send('read the balance', askBalance);
  await act();
  return Number(balanceIn(before)) - Number(balanceIn(await t.send('read the balance again', askBalance)));
}

/**
 * Confirms several different proposals at once, between two readings of the balance. Does so again if the charge is not
 * that of as many confirmations, because another client may have spent, too.
 */
export const confirmingAtOnce = story('simultaneous confirmations of different proposals', {
  turn: 'last',
  needs,
  images: 1 + atOnce,
  steps: async (t) => {
    const alone = await propose(t, 'propose');
    const price = await chargeFor(t, () => t.send('confirm one proposal alone', confirming(alone)));
    const confirmSeveral = async () => {
      const proposals: Proposal[] = [];
      while (proposals.length < atOnce) proposals.push(await propose(t, 'propose'));
      return await chargeFor(t, () =>
        t.sendInParallel(
          'confirm all proposals at once',
          // The used ID must cost nothing.
          [...proposals, alone].map((proposal) => ({ ...confirming(proposal), overlaps: true })),
        ),
      );
    };
    if ((await confirmSeveral()) !== atOnce * price) await t.part(async () => void (await confirmSeveral()));
  },
  requirements: [
    row('confirmations.refused-costs-nothing', {
      must:
        'The server MUST NOT charge for a refused confirmation, even if other confirmations succeed ' +
        'simultaneously.',
      source: 'Confirmation of a spending action, rules 2 and 3',
      severity: 'spends-money',
      otherClient: otherSpender,
      applies: (exchange, seen) => decidingBill(exchange, seen, withRefusals) !== undefined,
      expect: (exchange, seen) => {
        const bill = decidingBill(exchange, seen, withRefusals);
        if (bill === undefined || !withRefusals.breaks(bill)) return undefined;
        return finding(bill, bill.refused, 'Charge in the step that consumes the ID, and only if the run starts.');
      },
    }),
    row('confirmations.charges-add-up', {
      should: 'The server SHOULD charge several dispatches at once like the same dispatches one after another.',
      source: 'Credit balance; Confirmation of a spending action, second row',
      severity: 'spends-money',
      otherClient: otherSpender,
      applies: (exchange, seen) => decidingBill(exchange, seen, ofSeveral) !== undefined,
      expect: (exchange, seen) => {
        const bill = decidingBill(exchange, seen, ofSeveral);
        if (bill === undefined || !ofSeveral.breaks(bill)) return undefined;
        return finding(bill, [], 'Change the balance in one atomic step: two reads before a write lose a charge.');
      },
    }),
  ],
});

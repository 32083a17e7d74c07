import { must, should } from '../../../fixtures/requirements/model.ts';
import { byOthers, type KitFinding } from '../../expectations/finding.ts';
import { rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { balanceOf, type Interval } from '../../situations/balances.ts';
import { outcomeOf, presentedId } from '../../situations/ids.ts';
import type { Seen } from '../../situations/seen.ts';
import { counted } from '../../usage/counted.ts';
import { betweenBothBalances, otherSpender } from '../credits/compare-balances.ts';
import { confirming, type Proposal, propose } from '../requests/proposals.ts';
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

/** Returns the bill of the last interval; undefined unless all its dispatches have a known usual charge. */
function billOf(exchange: Completed, seen: Seen): Bill | undefined {
  if (exchange.sender.role !== 'primary' || balanceOf(exchange) === undefined || !seen.knowledge.complete) return;
  const interval = seen.balances.endingWith(exchange);
  const [first] = interval?.dispatches ?? [];
  if (interval === undefined || interval.unclear || first === undefined) return;
  const places = new Set(interval.dispatches.map((dispatch) => placeOf(dispatch, seen)));
  const [place] = places;
  const usual = places.size === 1 && place !== undefined ? usualAmount(place, seen) : undefined;
  if (usual === undefined || usual <= 0) return;
  const refused = interval.harmless.filter((each) => presentedId(each) !== undefined && outcomeOf(each) !== 'limited');
  return { interval, amount: amountOf(interval), usual: usual * interval.dispatches.length, refused };
}

function finding({ interval, amount, usual }: Bill, others: readonly Completed[], hint: string): KitFinding {
  return {
    expected: `a charge of ${usual} for ${counted(interval.dispatches.length, 'dispatch', 'dispatches')}`,
    actual: `a charge of ${amount}`,
    hint,
    refutable: byOthers,
    exchanges: [
      interval.from.exchange,
      ...interval.dispatches.slice(0, 3),
      ...others.slice(0, 1),
      interval.to.exchange,
    ],
  };
}

/** Confirms several different proposals at once, between two readings of the balance. */
export const confirmingAtOnce = story('simultaneous confirmations of different proposals', {
  turn: 'last',
  needs,
  images: 1 + atOnce,
  steps: async (t) => {
    const alone = await propose(t, 'propose');
    await betweenBothBalances(t, () => t.send('confirm one proposal alone', confirming(alone)));
    const proposals: Proposal[] = [];
    while (proposals.length < atOnce) proposals.push(await propose(t, 'propose'));
    await betweenBothBalances(t, () =>
      t.sendInParallel(
        'confirm all proposals at once',
        // The used ID must cost nothing.
        [...proposals, alone].map((proposal) => confirming(proposal)),
      ),
    );
  },
  requirements: [
    rule(
      must(
        'confirmations.refused-costs-nothing',
        'The server MUST NOT charge for a refused confirmation, even if other confirmations succeed simultaneously.',
        'Confirmation of a spending action, rules 2 and 3',
        'spends-money',
      ),
      {
        otherClient: otherSpender,
        // The amounts exclude another client, unless the balance shows one.
        timesToCount: 1,
        applies: (exchange, seen) => (billOf(exchange, seen)?.refused.length ?? 0) > 0,
        expect: (exchange, seen) => {
          const bill = billOf(exchange, seen);
          if (bill === undefined || bill.amount <= bill.usual) return undefined;
          return finding(bill, bill.refused, 'Charge in the step that consumes the ID, and only if the run starts.');
        },
      },
    ),
    rule(
      should(
        'confirmations.charges-add-up',
        'The server SHOULD charge several dispatches at once like the same dispatches one after another.',
        'Credit balance; Confirmation of a spending action, second row',
        'spends-money',
      ),
      {
        otherClient: otherSpender,
        timesToCount: 1,
        applies: (exchange, seen) => {
          const bill = billOf(exchange, seen);
          return bill !== undefined && bill.interval.dispatches.length > 1;
        },
        expect: (exchange, seen) => {
          const bill = billOf(exchange, seen);
          if (bill === undefined || bill.amount === bill.usual) return undefined;
          // Another requirement covers charges for refused confirmations.
          if (bill.amount > bill.usual && bill.refused.length > 0) return undefined;
          return finding(bill, [], 'Change the balance in one atomic step: two reads before a write lose a charge.');
        },
      },
    ),
  ],
});

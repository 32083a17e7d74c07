import type { KitFinding } from '../../expectations/finding.ts';
import { body, type Completed, overlap, precedes } from '../../history/exchange.ts';
import { type Judging, row } from '../../model/row.ts';
import { balanceOf, type Interval } from '../../situations/balances.ts';
import { outcomeOf, presentedId } from '../../situations/ids.ts';
import type { Seen } from '../../situations/seen.ts';
import { counted } from '../../usage/counted.ts';
import { askBalance, balanceIn } from '../credits/costs-nothing.ts';
import { seededFraction } from '../random.ts';
import { confirming, type Proposal, propose } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story, toSpend } from '../story.ts';

/** A single dispatch between two readings of the balance by `primary`. */
interface Charge {
  readonly interval: Interval;
  readonly dispatch: Completed;
  readonly amount: number;
}

const amountOf = ({ from, to }: Interval) => from.value - to.value;

const charges = ({ balances }: Seen): Charge[] =>
  balances.intervalsOf('primary').flatMap((interval) => {
    const [dispatch, another] = interval.dispatches;
    const isSingle = !interval.unclear && another === undefined;
    return isSingle && dispatch !== undefined ? [{ interval, dispatch, amount: amountOf(interval) }] : [];
  });

/** Returns the arguments that were proposed; undefined if the proposal is unknown. */
const proposedTo = (dispatch: Completed, { ids }: Seen) =>
  ids.issued(presentedId(dispatch) ?? '')?.proposal.request.args ?? undefined;

/** Returns what the price of a dispatch may depend on; undefined if its proposal is unknown. */
function placeOf(dispatch: Completed, seen: Seen): string | undefined {
  const args = proposedTo(dispatch, seen);
  return args && JSON.stringify([args.workspace, args.board, args.shape, args.count]);
}

/** Whether a confirmation names another number of images than its proposal. */
const isChanged = (dispatch: Completed, seen: Seen) =>
  dispatch.request.args?.count !== proposedTo(dispatch, seen)?.count;

/** Returns the charge of one unchanged dispatch. Undefined if charges differ: a server may charge some time later. */
function usualCharge(place: string | undefined, all: readonly Charge[], seen: Seen): Charge | undefined {
  const [first, ...others] = all.filter(
    ({ dispatch }) => place !== undefined && !isChanged(dispatch, seen) && placeOf(dispatch, seen) === place,
  );
  return others.every(({ amount }) => amount === first?.amount) ? first : undefined;
}

/**
 * Returns the charge of a changed confirmation that a reading shows, together with the usual one. The unchanged
 * confirmation may come later.
 */
function changedCharge(exchange: Completed, seen: Seen): (Charge & { usual: Charge }) | undefined {
  if (exchange.sender.role !== 'primary' || balanceOf(exchange) === undefined || !seen.knowledge.complete) return;
  const all = charges(seen);
  for (const charge of all.filter(({ dispatch }) => isChanged(dispatch, seen))) {
    const { dispatch } = charge;
    const usual = usualCharge(placeOf(dispatch, seen), all, seen);
    // Another requirement covers a changed run.
    if (usual === undefined || body(dispatch).count !== proposedTo(dispatch, seen)?.count) continue;
    const later = precedes(charge.interval.to.exchange, usual.interval.to.exchange) ? usual : charge;
    if (later.interval.to.exchange === exchange) return { ...charge, usual };
  }
  return;
}

/** The specification states no price, so only the exact price of the changed count is a violation. */
export const chargedAsProposed = row('confirmations.charged-as-proposed', {
  must: 'The server MUST charge for the proposed `count` even if the confirmation changes it.',
  source: 'Confirmation of a spending action, rule 1',
  severity: 'spends-money',
  applies: changedCharge,
  expect: (_, { amount, interval, dispatch, usual }) => {
    const [proposed, presented] = [Number(body(dispatch).count), Number(dispatch.request.args?.count)];
    if (amount === usual.amount || amount * proposed !== usual.amount * presented) return undefined;
    return {
      at: 'exchanges',
      want: { charge: usual.amount },
      got: { charge: amount },
      expected: `a charge of ${usual.amount}, as for the same proposal without a change`,
      actual: `a charge of ${amount}, as for the changed count`,
      hint: 'Compute the charge from the stored proposal, not from the arguments of the second call.',
      // Another client may spend exactly the difference, but hardly twice.
      refutable: { by: 'others', times: 2, balance: 'any' },
      exchanges: [usual.dispatch, interval.from.exchange, dispatch, interval.to.exchange],
    };
  },
});

/** Different proposals that are confirmed at once. Two suffice to lose an update of the balance. */
const atOnce = 2;

/** Most times that proposals are confirmed at once, and wrong bills after which no other client explains a surplus. */
const mostAttempts = 3;

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
  if (places.size > 1 || interval.dispatches.some((dispatch) => isChanged(dispatch, seen))) return;
  // Otherwise, a charge for a refused confirmation would seem usual.
  const alone = charges(seen).filter((charge) =>
    charge.interval.harmless.every((each) => presentedId(each) === undefined),
  );
  const { amount: usual = 0 } = usualCharge(place, alone, seen) ?? {};
  if (usual <= 0) return;
  const refused = interval.harmless.filter((each) => presentedId(each) !== undefined && outcomeOf(each) !== 'limited');
  return { interval, amount: amountOf(interval), usual: usual * interval.dispatches.length, refused };
}

/** Bills that a requirement covers, and those among them that break the requirement. */
interface Kind {
  readonly covers: (bill: Bill) => boolean;
  readonly breaks: (bill: Bill) => boolean;
  /** Least number of bills of simultaneous confirmations, all wrong. A single one may be due to another client. */
  readonly least: number;
  /** Exchanges that prove a violation, besides the readings and the dispatches. */
  readonly proof: (bill: Bill) => readonly Completed[];
}

const withRefusals: Kind = {
  covers: ({ refused }) => refused.length > 0,
  breaks: ({ amount, usual }) => amount > usual,
  // Two runs of the kit spend the same amounts, and at the same time.
  least: mostAttempts,
  proof: ({ refused }) => refused,
};

const ofSeveral: Kind = {
  covers: ({ interval }) => interval.dispatches.length > 1,
  // The other requirement covers charges for refused confirmations.
  breaks: ({ amount, usual, refused }) => amount < usual || (amount > usual && refused.length === 0),
  least: 2,
  proof: () => [],
};

const isAtOnce = ({ interval: { dispatches, harmless } }: Bill) =>
  [...dispatches.slice(1), ...harmless].some((each) =>
    dispatches.some((other) => other !== each && overlap(each, other)),
  );

/** Whether the charge is too low, although another single dispatch cost the usual amount, too. */
const isLost = ({ amount, usual, interval }: Bill, bills: readonly Bill[]) =>
  amount < usual &&
  bills.filter((one) => one.interval.dispatches.length === 1 && one.amount * interval.dispatches.length === usual)
    .length > 1;

/**
 * Returns the bill that a reading of `primary` ends, if it decides: it is correct, or all bills of its kind are wrong,
 * and enough of them. However, no other client lowers a charge.
 */
function decidingBill(exchange: Completed, seen: Seen, { covers, breaks, least }: Kind): Bill | undefined {
  if (exchange.sender.role !== 'primary' || balanceOf(exchange) === undefined || !seen.knowledge.complete) return;
  const bills = seen.balances.intervalsOf('primary').flatMap((interval) => billOf(interval, seen) ?? []);
  const ofKind = bills.filter(covers);
  const bill = ofKind.find(({ interval }) => interval.to.exchange === exchange);
  const isRepeated =
    (ofKind.filter(isAtOnce).length >= least && ofKind.every(breaks)) || (bill !== undefined && isLost(bill, bills));
  return bill !== undefined && (isRepeated || !breaks(bill)) ? bill : undefined;
}

/** The judgement of the bills of a kind. */
const billed = (kind: Kind, hint: string): Judging<Bill> => ({
  applies: (exchange, seen) => decidingBill(exchange, seen, kind),
  expect: (_, bill) => (kind.breaks(bill) ? finding(bill, kind.proof(bill), hint) : undefined),
});

function finding({ interval, amount, usual }: Bill, others: readonly Completed[], hint: string): KitFinding {
  return {
    at: 'exchanges',
    want: { charge: usual },
    got: { charge: amount },
    expected: `a charge of ${usual} for ${counted(interval.dispatches.length, 'dispatch', 'dispatches')}`,
    actual: `a charge of ${amount}`,
    hint,
    // The amounts exclude another client, unless the balance shows one.
    refutable: { by: 'others', times: 1, balance: 'any' },
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
 * that of as many confirmations, because another client may have spent, too. One proposal then suffices for a surplus.
 */
export const confirmingAtOnce = story('simultaneous confirmations of different proposals', {
  turn: 'last',
  needs: toSpend,
  steps: async (t) => {
    const alone = await propose(t, 'propose');
    const price = await chargeFor(t, () => t.send('confirm one proposal alone', confirming(alone)));
    const confirmAtOnce = async (count: number) => {
      const proposals: Proposal[] = [];
      while (proposals.length < count) proposals.push(await propose(t, 'propose'));
      return await chargeFor(t, () =>
        t.sendInParallel(
          'confirm all proposals at once',
          // The used ID must cost nothing.
          [...proposals, alone].map((proposal) => ({ ...confirming(proposal), overlaps: true })),
        ),
      );
    };
    let surplus = (await confirmAtOnce(atOnce)) - atOnce * price;
    await t.part(async () => {
      for (let attempt = 2; attempt <= mostAttempts && surplus !== 0; attempt += 1) {
        // Of two runs that spend at the same time, one waits longer.
        await t.waitOut(seededFraction(attempt, t.deployment.runId), 'another client may have spent, too');
        const count = surplus > 0 ? 1 : atOnce;
        surplus = (await confirmAtOnce(count)) - count * price;
      }
    });
  },
  requirements: [
    row('confirmations.refused-costs-nothing', {
      must:
        'The server MUST NOT charge for a refused confirmation, even if other confirmations succeed ' +
        'simultaneously.',
      source: 'Confirmation of a spending action, rules 2 and 3',
      severity: 'spends-money',
      ...billed(withRefusals, 'Charge in the step that consumes the ID, and only if the run starts.'),
    }),
    row('confirmations.charges-add-up', {
      should: 'The server SHOULD charge several dispatches at once like the same dispatches one after another.',
      source: 'Credit balance; Confirmation of a spending action, second row',
      severity: 'spends-money',
      ...billed(ofSeveral, 'Change the balance in one atomic step: two reads before a write lose a charge.'),
    }),
  ],
});

import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, overlap, precedes } from '../../exchange/exchange.ts';
import type { KitFinding } from '../../model/finding.ts';
import { row } from '../../model/rule.ts';
import { balanceOf, type Interval } from '../../model/world/balances.ts';
import { outcomeOf, presentedId } from '../../model/world/ids.ts';
import type { Seen } from '../../model/world/seen.ts';
import { counted } from '../../usage/counted.ts';
import { askBalance, balanceIn } from '../credits/costs-nothing.ts';
import { seededFraction } from '../random.ts';
import { confirming, type Proposal, presentIfExpired, propose, proposeExpiring } from '../requests/proposals.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story, toSpend } from '../story.ts';

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
      // Another client may spend exactly the difference, but hardly twice.
      refutable: { by: 'others', times: 2, balance: 'any' },
      exchanges: [usual.dispatch, interval.from.exchange, dispatch, interval.to.exchange],
    };
  },
  hint: 'Compute the charge from the stored proposal, not from the arguments of the second call.',
});

/** Different proposals that are confirmed at once. Two suffice to lose an update of the balance. */
const atOnce = 2;

/** Most times that proposals are confirmed at once, and bills with a surplus that no other client explains. */
const mostAttempts = 3;

/** Confirmations in an interval between two readings by `primary`, and what as many cost one by one. */
interface Bill {
  readonly interval: Interval;
  readonly amount: number;
  readonly usual: number;
  readonly refused: readonly Completed[];
}

/** Returns the bill of an interval; undefined unless all its dispatches have a known usual charge. */
function billOf(interval: Interval, alone: readonly Charge[], seen: Seen): Bill | undefined {
  const [first] = interval.dispatches;
  if (interval.unclear || first === undefined) return;
  const places = new Set(interval.dispatches.map((dispatch) => placeOf(dispatch, seen)));
  const [place] = places;
  if (places.size > 1 || interval.dispatches.some((dispatch) => isChanged(dispatch, seen))) return;
  const { amount: usual = 0 } = usualCharge(place, alone, seen) ?? {};
  if (usual <= 0) return;
  const refused = interval.harmless.filter((each) => presentedId(each) !== undefined && outcomeOf(each) !== 'limited');
  return { interval, amount: amountOf(interval), usual: usual * interval.dispatches.length, refused };
}

const isTooMuch = ({ amount, usual }: Bill) => amount > usual;

/** Whether other confirmations were presented while one was dispatched. */
const isAtOnce = ({ interval: { dispatches, harmless } }: Bill) =>
  [...dispatches, ...harmless].some(
    (each) => presentedId(each) !== undefined && dispatches.some((other) => other !== each && overlap(each, other)),
  );

/** Returns all bills so far, and the one that a reading of `primary` ends. */
function billsAt(exchange: Completed, seen: Seen): { all: Bill[]; ended?: Bill | undefined } {
  if (exchange.sender.role !== 'primary' || balanceOf(exchange) === undefined || !seen.knowledge.complete)
    return { all: [] };
  // The charge of a refused confirmation would otherwise seem usual.
  const alone = charges(seen).filter(({ interval }) =>
    interval.harmless.every((each) => presentedId(each) === undefined),
  );
  const all = seen.balances.intervalsOf('primary').flatMap((interval) => billOf(interval, alone, seen) ?? []);
  return { all, ended: all.find(({ interval }) => interval.to.exchange === exchange) };
}

/** Returns the bill with refused confirmations that a reading ends, if it is correct, or certainly wrong. */
function billWithRefusals(exchange: Completed, seen: Seen): Bill | undefined {
  const { all, ended } = billsAt(exchange, seen);
  if (ended === undefined || ended.refused.length === 0) return undefined;
  // Two runs of the kit spend the same amounts at the same time, but hardly each time.
  const atOnce = all.filter((bill) => bill.refused.length > 0 && isAtOnce(bill));
  const isCertain = atOnce.length >= mostAttempts && atOnce.every(isTooMuch);
  return isTooMuch(ended) && !isCertain ? undefined : ended;
}

/** Returns the bill of several dispatches that a reading ends, if it is correct, or certainly wrong. */
function billOfSeveral(exchange: Completed, seen: Seen): Bill | undefined {
  const { all, ended } = billsAt(exchange, seen);
  if (ended === undefined || ended.interval.dispatches.length < 2) return undefined;
  const { amount, usual, interval } = ended;
  // No other client lowers a charge. However, one may have raised the only charge of a single dispatch.
  const ofOne = all.filter(
    (bill) => bill.interval.dispatches.length === 1 && bill.amount * interval.dispatches.length === usual,
  );
  return amount < usual && ofOne.length < 2 ? undefined : ended;
}

function wrongCharge({ interval: { from, dispatches, to }, amount, usual, refused }: Bill): KitFinding {
  return {
    at: 'exchanges',
    want: { charge: usual },
    got: { charge: amount },
    expected: `a charge of ${usual} for ${counted(dispatches.length, 'dispatch', 'dispatches')}`,
    actual: `a charge of ${amount}`,
    // The amounts exclude another client, unless the balance shows one.
    refutable: { by: 'others', times: 1, balance: 'any' },
    exchanges: [from.exchange, ...dispatches.slice(0, 3), ...refused.slice(0, 1), to.exchange],
  };
}

async function chargeFor(t: Steps, act: () => Promise<unknown>): Promise<number> {
  const before = await t.send('read the balance', askBalance);
  await act();
  return Number(balanceIn(before)) - Number(balanceIn(await t.send('read the balance again', askBalance)));
}

/**
 * Confirms several different proposals at once, between two readings of the balance. Does so again if the charge is not
 * that of as many confirmations, because another client may have spent, too: with one proposal, which suffices for a
 * surplus, or after another look at the price.
 */
export const confirmingAtOnce = story('simultaneous confirmations of different proposals', {
  turn: 'last',
  needs: toSpend,
  steps: async (t) => {
    const priceAlone = async () => {
      // If an earlier story has let a confirmation of this request expire, the server must propose it again.
      const old = await proposeExpiring(t);
      await presentIfExpired(t, old);
      const proposal = await propose(t, 'propose a request again', old.args);
      return chargeFor(t, () => t.send('confirm one proposal alone', confirming(proposal)));
    };
    let price = await priceAlone();
    const another = t.present<Role>(['defaulted', 'ambiguous'])[0] ?? 'primary';
    const surplusOf = async (count: number) => {
      const proposals: Proposal[] = [];
      while (proposals.length < count) proposals.push(await propose(t, 'propose'));
      const charge = await chargeFor(t, () =>
        t.sendInParallel(
          'confirm all proposals at once',
          // The first ID, which two keys present, costs once.
          proposals.flatMap((proposal, index): StoryRequest[] => {
            const own = { ...confirming(proposal), overlaps: true };
            return index === 0 ? [own, { ...own, as: another }] : [own];
          }),
        ),
      );
      return charge - count * price;
    };
    let surplus = await surplusOf(atOnce);
    await t.part(async () => {
      for (let attempt = 2; attempt <= mostAttempts && surplus !== 0; attempt += 1) {
        // Of two runs that spend at the same time, one waits longer.
        await t.wait(seededFraction(attempt, t.deployment.runId), 'another client may have spent, too');
        if (surplus < 0) price = await priceAlone();
        surplus = await surplusOf(surplus < 0 ? atOnce : 1);
      }
    });
  },
  requirements: [
    row('confirmations.refused-costs-nothing', {
      must: 'The server MUST NOT charge for a refused confirmation, even if simultaneous confirmations succeed.',
      source: 'Confirmation of a spending action, rules 2 and 3',
      severity: 'spends-money',
      applies: billWithRefusals,
      expect: (_, bill) => isTooMuch(bill) && wrongCharge(bill),
      hint: 'Charge in the step that consumes the ID, and only if the run starts.',
    }),
    row('confirmations.charges-add-up', {
      should: 'The server SHOULD charge several dispatches at once like the same dispatches one after another.',
      source: 'Credit balance; Confirmation of a spending action, second row',
      severity: 'spends-money',
      applies: billOfSeveral,
      expect: (_, bill) => bill.amount < bill.usual && wrongCharge(bill),
      hint: 'Change the balance in one atomic step: two reads before a write lose a charge.',
    }),
  ],
  alsoTests: ['confirmations.dispatched', 'confirmations.recovery'],
});

import { must } from '../../../fixtures/requirements/model.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { byOthers, timesToCount } from '../../expectations/finding.ts';
import { rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import type { Interval } from '../../situations/balances.ts';
import { isProposal } from '../../situations/ids.ts';
import { quietTimes } from '../../situations/quiet-control.ts';
import type { Seen } from '../../situations/seen.ts';
import { askBalance, balanceIn, othersSpend } from '../credits/compare-balances.ts';
import { briefFor, proposing } from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';

/**
 * Returns the interval before a reading. If it has no proposals, returns a longer one, provided that the balance did
 * not change in it.
 */
function intervalOf(exchange: Completed, { balances }: Seen): Interval | undefined {
  const [last, longer] = [balances.endingWith(exchange), balances.overProposal(exchange)];
  const isUnchanged = longer !== undefined && longer.from.value === longer.to.value;
  return isUnchanged && last?.proposals.length === 0 ? longer : last;
}

const spendsNothing = rule(
  must(
    'image-proposals.spends-nothing',
    'The server MUST NOT charge for a proposal.',
    'What the service does, rule 6; Confirmation, first row',
    'spends-money',
  ),
  {
    otherClient: (seen) => (seen.balances.changedByOthers ? othersSpend : undefined),
    applies: (exchange, seen) => {
      const interval = intervalOf(exchange, seen);
      if (interval === undefined || interval.mayHaveSpent || !seen.knowledge.complete) return false;
      // A refused proposal proves nothing, unless the server charges for it.
      const charged = interval.proposals.length > 0 && interval.from.value !== interval.to.value;
      return charged || interval.proposals.some(isProposal);
    },
    // The twin is an equal time without proposals. If the balance changes then too, the finding proves nothing.
    twin: (exchange, seen) => {
      const interval = intervalOf(exchange, seen);
      const isSame = interval !== undefined && interval.from.value === interval.to.value;
      return { succeeded: isSame || seen.balances.isControlled(exchange) };
    },
    expect: (exchange, seen) => {
      const interval = intervalOf(exchange, seen);
      if (interval === undefined || interval.from.value === interval.to.value) return undefined;
      const { length } = interval.proposals;
      return {
        expected: `the balance to stay at ${interval.from.value} after ${length} proposal${length === 1 ? '' : 's'}`,
        actual: String(interval.to.value),
        hint: 'Charge when the run starts, not when it is proposed.',
        exchanges: [interval.from.exchange, ...interval.proposals.slice(0, 2), exchange],
        refutable: byOthers,
      };
    },
  },
);

/** Reads the balance before and after proposals. Repeats this if it changed. */
export const proposalsCostNothing = story('proposals cost nothing', {
  turn: 'first',
  needs: { effects: ['proposals'], settings: ['board'] },
  uses: ['proposal'],
  steps: async (t) => {
    await t.part(() => costsNothing(t, 'primary', {}));
    const { otherAccountWorkspace: workspace, otherAccountBoard: board } = t.deployment;
    if (t.has('otherAccount') && board !== undefined) await costsNothing(t, 'otherAccount', { workspace, board });
  },
  requirements: [spendsNothing],
});

/** Proposes with a key, and several times with `primary`, because a server may charge for some proposals only. */
async function costsNothing(t: Steps, as: Role, place: Args): Promise<void> {
  const request = (change: Args) => ({ ...proposing(t, { ...place, ...change }), as });
  const brief = briefFor(t, 'to compare balances');
  const count = Number(t.proposal().count);
  // Two extra rounds, because readings of other stories between the proposals make a round inconclusive.
  for (let again = 1; again <= timesToCount + 2; again += 1) {
    const before = await t.send('read the balance', { ...askBalance, as });
    for (const more of [1, 3]) await t.send('propose more images', request({ count: count + more, brief }));
    for (let times = 1; times <= (as === 'primary' ? 3 : 0); times += 1) await t.send('propose', request({ brief }));
    const after = await t.send('read the balance again', { ...askBalance, as });
    if (balanceIn(before) === balanceIn(after) || !(await staysTheSame(t, as, before, after, again))) return;
  }
}

const quietReadings = 12;

/**
 * Returns whether the balance stays the same without proposals, for longer than it took to change. The length of the
 * wait varies, so that it does not synchronize with a client that spends at regular intervals.
 */
async function staysTheSame(t: Steps, as: Role, before: Completed, after: Completed, again: number): Promise<boolean> {
  const tookMs = after.receivedAt - before.receivedAt;
  await t.waitOut((again * quietTimes * tookMs) / 1000, 'another client may have changed the balance');
  for (let times = 1; times <= quietReadings; times += 1) {
    const now = await t.send('read the balance while nothing is sent', { ...askBalance, as });
    if (balanceIn(now) !== balanceIn(after)) return false;
  }
  return true;
}

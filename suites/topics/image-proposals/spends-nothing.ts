import { must } from '../../../fixtures/requirements/model.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { byOthers } from '../../expectations/finding.ts';
import { rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { type Interval, isRise, spansAdvance } from '../../situations/balances.ts';
import { isProposal } from '../../situations/ids.ts';
import { quietTimes } from '../../situations/quiet-control.ts';
import type { Seen } from '../../situations/seen.ts';
import { askBalance, balanceIn, othersSpend } from '../credits/compare-balances.ts';
import { resemblingId } from '../requests/made-up-ids.ts';
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
      // Some services add credits at regular intervals.
      if (isRise(interval) && spansAdvance(interval)) return false;
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

/** Reads the balance before and after proposals. */
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

/**
 * Proposes with a key, and several times with `primary`, because a server may charge for some proposals only. Also
 * sends a proposal that the server must refuse.
 */
async function costsNothing(t: Steps, as: Role, place: Args): Promise<void> {
  const request = (change: Args) => ({ ...proposing(t, { ...place, ...change }), as });
  // A server may return the ID of an earlier attempt for an identical proposal.
  const brief = briefFor(t, `to compare balances, attempt ${t.attempt}`);
  const count = Number(t.proposal().count);
  const changes = [{ count: count + 1 }, { count: count + 3 }, ...(as === 'primary' ? [{}, {}, {}] : [])];
  const before = await t.send('read the balance', { ...askBalance, as });
  await t.sendAll(
    'propose',
    changes.map((change) => request({ brief, ...change })),
  );
  const unknown = resemblingId(String(request({}).args?.board), t.text('board without a charge', 16));
  await t.send('propose for a board that does not exist', { ...request({ board: unknown }), invented: ['board'] });
  const after = await t.send('read the balance again', { ...askBalance, as });
  if (balanceIn(before) !== balanceIn(after)) await watchBalance(t, as, before, after);
}

const quietReadings = 12;

/**
 * Reads the balance without proposals, for longer than it took to change. The wait grows with each run of the story, so
 * that it does not synchronize with a client that spends at regular intervals.
 */
async function watchBalance(t: Steps, as: Role, before: Completed, after: Completed): Promise<void> {
  const tookMs = after.receivedAt - before.receivedAt;
  await t.waitOut((t.attempt * quietTimes * tookMs) / 1000, 'another client may have changed the balance');
  for (let reading = 1; reading <= quietReadings; reading += 1) {
    const now = await t.send('read the balance again without other requests', { ...askBalance, as });
    if (balanceIn(now) !== balanceIn(after)) t.disturbed('another client changes the balance');
  }
}

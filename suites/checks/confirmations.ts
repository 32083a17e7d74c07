import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { allDifferent, fieldIs, fieldIsText } from '../expect/fields.ts';
import { type Finding, first } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { type Confirmed, confirmed, confirmedWithLess, controlConfirmed, recovered } from '../scenes/confirming.ts';
import { controlProposed, dispatches, isDispatch, spends } from '../scenes/images.ts';

const tool = 'images.generate';

const runHint = 'each dispatch starts a run of its own';

const confirmationOf = ({ request }: Answered) => request.args?.confirmation_id;
const sameRun = (one: Answered, other: Answered) => body(one).run_id === body(other).run_id;

/** What holds for every dispatched reply, whichever check asked for it. */
function everyDispatch(requirement: RequirementId, verdict: (exchange: Answered) => Finding | undefined) {
  return rule({
    requirement,
    needs: spends,
    applies: (exchange) =>
      exchange.request.tool === tool && body(exchange).status === 'dispatched' && isDispatch(exchange),
    verdict,
    exercise: async (t) => [(await confirmed(t)).reply],
  });
}

/** Whether a proposal with this change is refused too, so that refusing it on the second call is within the rules. */
async function proposalRefused(t: Context, change: Args): Promise<boolean> {
  const { args } = await controlProposed(t);
  return isRefusal(await t.call(tool, { ...args, ...change }));
}

const boundHint = 'the id is bound to the request that was shown: run that one, and take nothing from the second call';

/** A field of a dispatched reply is what was confirmed. */
function original(field: string, argument: string) {
  return ({ proposal, reply }: Pick<Confirmed, 'proposal' | 'reply'>): Finding | undefined =>
    fieldIs(reply, field, proposal.args[argument], boundHint);
}

const originalCount = original('count', 'count');
const originalShape = original('aspect_ratio', 'shape');
const originalBoard = original('board_id', 'board');

/** What was refused with this change and dispatched without it. */
function refusedFor(tried: readonly Confirmed[], name: string): Confirmed | undefined {
  const last = tried.at(-1);
  if (last === undefined || !isDispatch(last.reply)) return undefined;
  const names = ({ change }: Confirmed) => Object.keys(change).filter((each) => each !== name);
  return tried.find((each) => name in each.change && names(each).join() === Object.keys(last.change).join());
}

/** With this change on the second call what was confirmed runs; a refusal counts where a proposal would be refused too. */
async function runsAsConfirmed(
  t: Context,
  tried: readonly Confirmed[],
  name: 'count' | 'shape',
  same: (confirmed: Confirmed) => Finding | undefined,
): Promise<void> {
  const ran = tried.find(({ change, reply }) => name in change && isDispatch(reply));
  if (ran !== undefined) return t.expect(dispatches(ran.reply) ?? same(ran));
  const refused = refusedFor(tried, name) ?? t.cannot('the request is not dispatched unchanged either');
  const change = { [name]: refused.change[name] };
  if (isRefusal(refused.reply) && (await proposalRefused(t, change))) {
    t.cannot(`${brief(change)} is refused on the first call too, so it says nothing on the second`);
  }
  const failed = dispatches(refused.reply);
  t.expect(failed && { ...failed, hint: `dispatched without ${brief(change)}: ${boundHint}` });
}

export const confirmations = [
  check({
    requirement: 'confirmations.dispatched',
    needs: spends,
    async run(t) {
      t.expect(dispatches((await confirmed(t)).reply));
    },
  }),
  everyDispatch('confirmations.run-id', (exchange) =>
    fieldIsText(exchange, 'run_id', 'the id of the run that was started'),
  ),
  rule({
    requirement: 'confirmations.run-id-new',
    needs: spends,
    applies: (exchange) => isDispatch(exchange) && typeof body(exchange).run_id === 'string',
    // What an id that was used already is answered with is told by the requirements on used ids.
    verdict: (exchange, before) => {
      const others = before.filter((each) => confirmationOf(each) !== confirmationOf(exchange));
      return allDifferent([...others.filter((each) => sameRun(each, exchange)), exchange], 'run_id', runHint);
    },
    async exercise(t) {
      const replies = [(await controlConfirmed(t)).reply, ...(await recovered(t)).map(({ reply }) => reply)];
      const told = replies.filter((reply) => isDispatch(reply) && typeof body(reply).run_id === 'string');
      return told.length < 2 ? t.cannot('fewer than two confirmations dispatched and told their run') : told;
    },
  }),
  everyDispatch('confirmations.confirmation-id-null', (exchange) =>
    fieldIs(exchange, 'confirmation_id', null, 'the id is used up: send null, neither the id nor no field'),
  ),
  everyDispatch('confirmations.request-summary-null', (exchange) =>
    fieldIs(exchange, 'request_summary', null, 'there is nothing left to approve: send null'),
  ),
  check({
    requirement: 'confirmations.reply-as-confirmed',
    needs: spends,
    async run(t) {
      const { proposal, reply } = await controlConfirmed(t);
      t.expect(first(...[originalCount, originalShape, originalBoard].map((same) => same({ proposal, reply }))));
    },
  }),
  check({
    requirement: 'confirmations.changed-count',
    title: 'Confirmed with a larger count.',
    needs: spends,
    run: async (t) => runsAsConfirmed(t, await recovered(t), 'count', originalCount),
  }),
  check({
    requirement: 'confirmations.changed-count',
    title: 'Confirmed with a smaller count.',
    needs: spends,
    async run(t) {
      const tried = await confirmedWithLess(t);
      if (!tried.some(({ change }) => 'count' in change)) t.cannot('no count was accepted beside the smallest');
      await runsAsConfirmed(t, tried, 'count', originalCount);
    },
  }),
  check({
    requirement: 'confirmations.changed-shape',
    needs: spends,
    run: async (t) => runsAsConfirmed(t, await confirmedWithLess(t), 'shape', originalShape),
  }),
  check({
    requirement: 'confirmations.changed-board',
    needs: { ...spends, settings: ['board', 'otherBoard'] },
    async run(t) {
      for (const confirmation of await recovered(t)) {
        // A board that is not in the workspace may be refused first; it must not be used.
        if (!('board' in confirmation.change) || isRefusal(confirmation.reply)) continue;
        t.expect(dispatches(confirmation.reply) ?? originalBoard(confirmation));
      }
    },
  }),
];

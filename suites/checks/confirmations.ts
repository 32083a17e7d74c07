import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { allDifferent, fieldIs, fieldIsText } from '../expect/fields.ts';
import { first, type Verdict } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import {
  confirmed,
  controlConfirmed,
  controlProposed,
  dispatches,
  isDispatch,
  proposeAndConfirm,
  spends,
} from '../scenes/images.ts';
import { offeredShape } from '../scenes/shapes.ts';

const tool = 'images.generate';

/** What holds for every dispatched reply, whichever check asked for it. */
function everyDispatch(requirement: RequirementId, verdict: (exchange: Answered) => Verdict) {
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

/** The reply to a confirmation with changed arguments carries what was confirmed. */
function original(proposal: { args: Args }, reply: Answered): Verdict {
  const hint = 'the id is bound to the request that was shown: run that one, and take nothing from the second call';
  return first(
    fieldIs(reply, 'count', proposal.args.count, hint),
    fieldIs(reply, 'aspect_ratio', proposal.args.shape, hint),
    fieldIs(reply, 'board_id', proposal.args.board, hint),
  );
}

/** With this change on the second call what was confirmed runs; a refusal counts where a proposal would be refused too. */
function changed(requirement: RequirementId, changeOf: (t: Context, args: Args) => Args | Promise<Args>) {
  return check({
    requirement,
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const change = await changeOf(t, (await controlProposed(t)).args);
      const { proposal, reply } = await proposeAndConfirm(t, `confirmed with other ${Object.keys(change)}`, change);
      if (isRefusal(reply) && (await proposalRefused(t, change))) {
        t.cannot(`${brief(change)} is refused on the first call too, so it says nothing on the second`);
      }
      t.expect(dispatches(reply) ?? original(proposal, reply));
    },
  });
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
  check({
    requirement: 'confirmations.run-id-new',
    needs: spends,
    async run(t) {
      const one = await controlConfirmed(t);
      const two = await t.once('recovered', () => proposeAndConfirm(t, 'after confirmation_invalid'));
      const replies = [one.reply, two.reply].filter(
        (reply) => isDispatch(reply) && typeof body(reply).run_id === 'string',
      );
      if (replies.length < 2) t.cannot('fewer than two confirmations dispatched and told their run');
      t.expect(allDifferent(replies, 'run_id', 'each dispatch starts a run of its own'));
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
      t.expect(original(proposal, reply));
    },
  }),
  changed('confirmations.changed-count', (_, args) => ({ count: Number(args.count) + 1 })),
  changed('confirmations.changed-shape', async (t, args) => ({ shape: await offeredShape(t, args) })),
  check({
    requirement: 'confirmations.changed-board',
    needs: { ...spends, settings: ['board', 'otherBoard'] },
    async run(t) {
      await controlConfirmed(t);
      const change = { board: t.setting('otherBoard') };
      const { proposal, reply } = await proposeAndConfirm(t, 'confirmed with another board', change);
      // A board that is not in the workspace may be refused first; it must not be used.
      if (isRefusal(reply)) return;
      t.expect(dispatches(reply) ?? original(proposal, reply));
    },
  }),
];

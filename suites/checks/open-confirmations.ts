import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { isRefusal } from '../exchange.ts';
import { describeAnswer, refuses } from '../expect/answers.ts';
import { controlConfirmed, mayBeMoved, mostFresh, overtaken, recovered } from '../scenes/confirming.ts';
import { confirm, controlProposed, dispatches, isDispatch, propose, spends } from '../scenes/images.ts';
import { refusesWorkspace } from '../scenes/out-of-reach.ts';
import { type Refused, wandered } from '../scenes/wandering.ts';

/** The answer to an id of its own presented in one of the wrong ways. */
async function presented(t: Context, way: Refused) {
  const { refused } = await wandered(t);
  return refused.get(way) ?? t.cannot('an id that was presented wrongly was dispatched before');
}

/** Whether an id is good still once another one, proposed after it, was dispatched; what else goes on may be in the way. */
async function goodWhenOvertaken(t: Context): Promise<boolean> {
  const { args } = await controlProposed(t);
  for (let times = 1; times <= mostFresh; times += 1) {
    const open = await propose(t, 'left open again');
    const other = await propose(t, 'confirmed before it');
    if (isDispatch(await confirm(t, args, other.id))) return isDispatch(await confirm(t, args, open.id));
  }
  return t.cannot('an id that was left open and one that was not went invalid');
}

/** What leaves a confirmation open, and what does not. */
export const openConfirmations = [
  check({
    requirement: 'confirmations.others-leave-open',
    needs: spends,
    async run(t) {
      const { open, other, reply, afresh } = await overtaken(t);
      const [fresh] = afresh;
      if (isDispatch(reply)) return;
      // What a fresh id is refused for as well has nothing to do with others.
      if (fresh === undefined || !isDispatch(fresh.reply)) t.cannot('the same is refused with a fresh id too');
      // Somebody else may have moved the clock meanwhile.
      if (await goodWhenOvertaken(t)) return;
      t.expect({
        expected: 'an id that waits to be good still after another one was proposed and dispatched',
        actual: `${describeAnswer(reply)}; with a fresh id the same is dispatched`,
        hint: 'look at what proposing and dispatching do to the other ids of the account: only its own use or time may end one',
        exchanges: [open.answer, other, reply],
      });
    },
  }),
  check({
    requirement: 'confirmations.refusals-leave-open',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const { proposal, refused, unnamed, named } = await wandered(t);
      const replies = [unnamed, named].filter((reply) => reply !== undefined);
      if (replies.some(isDispatch)) return;
      const [reply] = replies.slice(-1);
      if (reply === undefined) return t.cannot('an id that was presented wrongly was dispatched');
      t.expect({
        expected: `the id to be good still after it was refused ${[...refused.keys()].join(', ')}`,
        actual: describeAnswer(reply),
        hint: 'check everything about the call first, and use the id up in the moment of the dispatch',
        exchanges: [proposal.answer, ...refused.values(), reply],
      });
    },
  }),
  check({
    requirement: 'confirmations.refusals-leave-open',
    title: 'Refused for the board of the second call.',
    needs: spends,
    async run(t) {
      const tried = await recovered(t);
      // It may well run what was confirmed, whatever board the second call names.
      const refused = tried.find(({ reply }) => isRefusal(reply, 'board_not_found'));
      const later = tried.find(
        ({ proposal, reply }) => proposal === refused?.proposal && isRefusal(reply, 'confirmation_invalid'),
      );
      // What a fresh id is refused for as well has nothing to do with the board.
      if (refused === undefined || later === undefined || !tried.some(({ reply }) => isDispatch(reply))) return;
      const { args } = refused.proposal;
      const { board } = refused.change;
      for (let times = 1; times <= mostFresh; times += 1) {
        const proposal = await propose(t, 'shown on another board');
        const first = await confirm(t, { ...proposal.args, board }, proposal.id);
        if (!isRefusal(first, 'board_not_found')) return t.cannot('the board is not refused every time');
        const reply = await confirm(t, { ...proposal.args, board: args.board }, proposal.id);
        if (isDispatch(reply)) return;
        if (!mayBeMoved(t, reply, times)) {
          return t.expect({
            expected: 'the id to be good still after it was refused with a board that was not found',
            actual: describeAnswer(reply),
            hint: 'look at the board and at whatever else may be refused first, and use the id up in the moment of the dispatch',
            exchanges: [proposal.answer, first, reply],
          });
        }
      }
    },
  }),
  check({
    requirement: 'confirmations.unnamed-workspace',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const { proposal, unnamed, named } = await wandered(t);
      if (unnamed === undefined) {
        return t.cannot("no board is known in a workspace that the key in the role 'primary' resolves to by itself");
      }
      if (isDispatch(unnamed)) return;
      if (named === undefined || !isDispatch(named))
        return t.cannot('the id is not dispatched where the call names the workspace');
      const failed = dispatches(unnamed);
      t.expect(
        failed && {
          ...failed,
          hint: 'the id is good in the workspace that it was issued in: compare the workspaces that the two calls ran in, not their arguments',
          exchanges: [proposal.answer, unnamed, named],
        },
      );
    },
  }),
  check({
    requirement: 'confirmations.request-missing-refused',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const hint =
        'board, brief, count and shape are required on both calls, and what is missing is told before anything runs';
      t.expect(refuses(await presented(t, 'without the request'), 'invalid_arguments', hint));
      t.expect(refuses(await presented(t, 'without the brief'), 'invalid_arguments', hint));
    },
  }),
  check({
    requirement: 'image-proposals.workspace-unknown-refused',
    title: 'Confirmed in a workspace that does not exist.',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      t.expect(refusesWorkspace(await presented(t, 'in an unknown workspace'), 'a workspace that does not exist'));
    },
  }),
];

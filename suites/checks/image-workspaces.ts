import type { Role } from '../../fixtures/roles.ts';
import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { describeAnswer, succeeds } from '../expect/answers.ts';
import { fieldIs } from '../expect/fields.ts';
import { invalidField } from '../expect/issues.ts';
import {
  briefOf,
  controlProposed,
  creditsSuffice,
  declinedForCredits,
  isProposal,
  proposes,
} from '../scenes/images.ts';
import { callOutOfReach, fallible, refusesWorkspace, unknownWorkspace } from '../scenes/out-of-reach.ts';
import { isOwnRefusal, onlyWhenNamed, ownWorkspace } from '../scenes/unnamed.ts';
import { typeHint } from '../scenes/wrong-type.ts';
import { invalid } from './image-arguments.ts';

const tool = 'images.generate';

/** The workspace that a proposal is made in. */
export const imageWorkspaces = [
  invalid('image-proposals.workspace-empty-refused', 'workspace', [''], 'path', 'a slug has at least 1 character'),
  check({
    requirement: 'image-proposals.workspace-wrong-type-refused',
    needs: proposes,
    async run(t) {
      const { args, answer } = await controlProposed(t);
      for (const workspace of [0, [body(answer).workspace]]) {
        t.expect(invalidField(await t.call(tool, { ...args, workspace }), 'workspace', 'path', typeHint));
      }
    },
  }),
  check({
    requirement: 'image-proposals.workspace-unknown-refused',
    needs: proposes,
    async run(t) {
      const { args } = await controlProposed(t);
      const calls = fallible(t).map((as) => callOutOfReach(t, tool, args, unknownWorkspace(t), as));
      for (const answer of await Promise.all(calls)) {
        t.expect(refusesWorkspace(answer, 'a workspace that does not exist'));
      }
    },
  }),
  check({
    requirement: 'image-proposals.workspace-unreachable-refused',
    needs: { ...proposes, settings: ['board', 'otherAccountWorkspace'] },
    async run(t) {
      const { args } = await controlProposed(t);
      const board = t.ground.otherAccountBoard ?? args.board;
      const answer = await callOutOfReach(t, tool, { ...args, board }, t.setting('otherAccountWorkspace'));
      t.expect(refusesWorkspace(answer, "another account's workspace"));
    },
  }),
  check({
    requirement: 'image-proposals.works-in-named-workspace',
    needs: { ...proposes, settings: ['board', 'otherWorkspace', 'otherBoard'] },
    async run(t) {
      const { args } = await controlProposed(t);
      const board = t.setting('otherBoard');
      const answer = await t.call(tool, { ...args, ...t.there({ board }), brief: briefOf(t, 'in another workspace') });
      creditsSuffice(t, answer);
      const hint = 'propose in the workspace that the argument names, with its boards';
      t.expect(succeeds(answer, hint) ?? fieldIs(answer, 'workspace', t.setting('otherWorkspace'), hint));
    },
  }),
  check({
    requirement: 'image-proposals.works-without-argument',
    needs: { ...proposes, roles: ['primary'] },
    async run(t) {
      const { workspace: _, ...args } = (await controlProposed(t)).args;
      const present = (['pinned', 'defaulted', 'sole'] as const).filter((role) => t.has(role));
      if (present.length === 0) t.lacksKeyOf('no key that resolves by itself', 'sole', 'defaulted', 'pinned');
      const served = await Promise.all(
        present.map(async (role) => {
          const board = await knownBoard(t, role);
          const answer = await t.call(tool, { ...args, board: board ?? args.board }, { as: role });
          if (declinedForCredits(answer) !== undefined) return false;
          // Where no board of that workspace is known, only that there is a workspace can be told.
          if (isProposal(answer) || (board === undefined && isRefusal(answer, 'board_not_found'))) return true;
          const finding = isOwnRefusal(answer)
            ? await onlyWhenNamed(t, tool, answer, role, (named) => servesOtherwise(named, answer))
            : {
                expected: 'a proposal, or board_not_found where the board is of another workspace',
                actual: describeAnswer(answer),
                hint: `look at how ${tool} resolves the workspace of the key in the role '${role}'`,
                exchanges: [answer],
              };
          t.expect(finding);
          return finding !== undefined;
        }),
      );
      if (served.includes(true)) return;
      t.cannot(`${tool} declines what these keys ask for: ${present.join(', ')}`, {
        kind: 'data',
        what: 'a key that resolves by itself and may propose images',
      });
    },
  }),
];

/** A board of the workspace that a key works in by itself; undefined where none is known. */
async function knownBoard(t: Context, role: Role): Promise<string | undefined> {
  const { workspace, board, otherWorkspace, otherBoard } = t.ground;
  const own = await ownWorkspace(t, role);
  if (own === undefined) return undefined;
  return own === workspace ? board : own === otherWorkspace ? otherBoard : undefined;
}

/** A proposal, or a refusal for the sake of the board alone where the other was refused for another reason. */
function servesOtherwise(named: Answered, refused: Answered): boolean {
  return isProposal(named) || (isRefusal(named, 'board_not_found') && !isRefusal(refused, 'board_not_found'));
}

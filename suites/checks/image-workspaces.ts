import { check } from '../check.ts';
import { header, isRefusal } from '../exchange.ts';
import { describeAnswer, succeeds } from '../expect/answers.ts';
import { fieldIs } from '../expect/fields.ts';
import { controlProposed, isProposal, proposes } from '../scenes/images.ts';
import { callOutOfReach, fallible, refusesWorkspace, unknownWorkspace } from '../scenes/out-of-reach.ts';
import { typeHint } from '../scenes/wrong-type.ts';
import { invalid } from './image-arguments.ts';

const tool = 'images.generate';

/** The workspace that a proposal is made in. */
export const imageWorkspaces = [
  invalid('image-proposals.workspace-empty-refused', 'workspace', [''], 'path', 'a slug has at least 1 character'),
  invalid('image-proposals.workspace-wrong-type-refused', 'workspace', [5], 'path', typeHint),
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
      const answer = await t.call(tool, { ...args, ...t.there({ board }) });
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
      if (present.length === 0) t.cannot('no key that resolves by itself', { kind: 'role', role: 'sole' });
      for (const answer of await Promise.all(present.map((as) => t.call(tool, args, { as })))) {
        // Whether the board is one of that workspace is not known; that there is a workspace is.
        // Nor is it known what else the holder may; only the boundary's refusal says that no workspace was resolved.
        if (isProposal(answer) || isRefusal(answer, 'board_not_found')) continue;
        if (isRefusal(answer) && header(answer, 'x-service-tool-error') === 'false') continue;
        t.expect({
          expected: 'a proposal, or board_not_found where the board is of another workspace',
          actual: describeAnswer(answer),
          hint: `look at how ${tool} resolves the workspace of the key in the role '${answer.credential.label}'`,
          exchanges: [answer],
        });
      }
    },
  }),
];

import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { refuses } from '../expect/answers.ts';
import { invalidField, type NamedBy } from '../expect/issues.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { canBeCut, hexadecimal, neverIssuedId, otherCase } from '../scenes/issued-ids.ts';
import { typeHint } from '../scenes/wrong-type.ts';

const tool = 'images.generate';

/** A good request but for one field, which the refusal has to name. */
export function invalid(
  requirement: RequirementId,
  field: string,
  values: readonly unknown[],
  by: NamedBy,
  hint: string,
) {
  return check({
    requirement,
    needs: proposes,
    async run(t) {
      const { args } = await controlProposed(t);
      const calls = values.map((value) => t.call(tool, { ...args, [field]: value }));
      for (const answer of await Promise.all(calls)) t.expect(invalidField(answer, field, by, hint));
    },
  });
}

const required = (field: string) => `${field} is required on the first call`;

const boardHint = 'look the board up among those of the workspace that the call runs in';

/** The first half of a board's id and the id in other case, where they are no board that is known, nor another spelling of it. */
function resembling(t: Context, known: string): string[] {
  const { board, otherBoard, otherAccountBoard } = t.ground;
  const half = [...known].slice(0, Math.ceil(known.length / 2)).join('');
  // Hexadecimal digits say the same in either case.
  const spellings = hexadecimal.test(known) ? [] : [otherCase(known)];
  return [...(canBeCut(known) ? [half] : []), ...spellings].filter(
    (each) => ![known, board, otherBoard, otherAccountBoard].includes(each),
  );
}

function boardNotFound(
  requirement: RequirementId,
  settings: 'none' | 'otherBoard',
  boardOf: (t: Context, known: string) => string,
) {
  return check({
    requirement,
    needs: settings === 'none' ? proposes : { ...proposes, settings: ['board', 'otherBoard'] },
    async run(t) {
      const { args } = await controlProposed(t);
      const answer = await t.call(tool, { ...args, board: boardOf(t, String(args.board)) });
      t.expect(refuses(answer, 'board_not_found', boardHint));
    },
  });
}

/** Proposals with an argument that does not fit, or a board that is not there. */
export const imageArguments = [
  invalid('image-proposals.board-missing-refused', 'board', [undefined, null], 'path or message', required('board')),
  invalid('image-proposals.brief-missing-refused', 'brief', [undefined, null], 'path or message', required('brief')),
  invalid('image-proposals.count-missing-refused', 'count', [undefined], 'path or message', required('count')),
  invalid('image-proposals.shape-missing-refused', 'shape', [undefined, null], 'path or message', required('shape')),
  invalid('image-proposals.count-fraction-refused', 'count', [1.5], 'path', 'count is a whole number; round nothing'),
  invalid('image-proposals.count-wrong-type-refused', 'count', ['1', true, [1], null], 'path', typeHint),
  invalid('image-proposals.board-wrong-type-refused', 'board', [5, ['a']], 'path', typeHint),
  invalid('image-proposals.brief-wrong-type-refused', 'brief', [5, ['a']], 'path', typeHint),
  invalid('image-proposals.shape-wrong-type-refused', 'shape', [1, ['1:1']], 'path', typeHint),
  boardNotFound('image-proposals.board-unknown-refused', 'none', (_, known) => neverIssuedId(known)),
  check({
    requirement: 'image-proposals.board-unknown-refused',
    title: 'a board that is empty, resembles one, or is named like a member of every object',
    needs: proposes,
    async run(t) {
      const { args } = await controlProposed(t);
      for (const board of ['constructor', '', ...resembling(t, String(args.board))]) {
        // It may look like no board at all, which is for the arguments to say.
        t.expect(refuses(await t.call(tool, { ...args, board }), undefined, boardHint));
      }
    },
  }),
  boardNotFound('image-proposals.board-elsewhere-refused', 'otherBoard', (t) => t.setting('otherBoard')),
];

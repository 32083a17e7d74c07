import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import type { Call, ToolCall } from '../../../../stub/server/behavior.ts';
import { refusal } from '../../../../stub/server/responses.ts';
import { aroundTool } from '../../../../stub/variants/changes/responses.ts';
import { calls, instead } from '../../../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../../../stub/variants/defect.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { converting, defaulting } from '../../changes/arguments.ts';
import { openTo, toDefault } from '../../changes/workspaces.ts';

const tool = 'images.generate';

const reading = (name: string, convert: (value: unknown) => unknown): Deviation => converting(name, convert, tool);

/** Returns the boards of all workspaces of the account. */
const boardsOf = (call: ToolCall<typeof tool>) =>
  call.account.workspaces.flatMap((slug) => call.state.workspace(slug).content.boards);

/** Accepts an unknown board by adding it to the workspace for this request. */
const withBoard = (found: (call: ToolCall<typeof tool>) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const { content } = call.place.workspace;
    const known = content.boards.some(({ id }) => id === call.args.board);
    if (known || !found(call)) return generate(call);
    const boards = [{ id: call.args.board, name: 'another board' }, ...content.boards] as const;
    const workspace = { ...call.place.workspace, content: Object.create(content, { boards: { value: boards } }) };
    return generate({ ...call, place: { ...call.place, workspace } });
  });

/** Defects in the validation of proposals. */
export const proposalArgumentDefects = {
  'board-by-default': defect('uses the first board if the request names no board')
    .breaks('image-proposals.board-missing-refused', 'arguments.all-fields-named')
    .by(defaulting('board', firstBoard, tool)),
  'shape-by-number': defect('accepts the number 1 as the shape 1:1')
    .breaks('image-proposals.shape-wrong-type-refused')
    .by(reading('shape', (shape) => (shape === 1 ? '1:1' : shape))),
  'board-of-any-workspace': defect('finds boards in every workspace of the account')
    .breaks('image-proposals.board-elsewhere-refused')
    .by(withBoard((call) => boardsOf(call).some(({ id }) => id === call.args.board))),
  'images-in-foreign-workspace': defect('lets a key propose images in the workspaces of any account')
    .breaks(
      'image-proposals.workspace-unreachable-refused',
      'workspaces.unreachable-within-account',
      'content-requests.works-in-named-workspace',
    )
    .by(openTo(tool)),
  'images-in-the-default': defect(
    'looks up boards in the default workspace, even if the request names another workspace',
  )
    .breaks(
      'image-proposals.works-in-named-workspace',
      'image-proposals.workspace-unknown-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'headers.tool-error-on-unreachable',
      'image-proposals.proposed',
    )
    .by(toDefault(tool)),
  'override-refused-to-images': defect('refuses images.generate outside the default workspace')
    .breaks(
      'image-proposals.works-in-named-workspace',
      'image-proposals.proposed',
      'image-proposals.works-without-argument',
    )
    .by(
      instead(
        'runTool',
        (call) => calls(tool)(call) && call.place?.workspace.content.slug !== call.key?.storedDefault,
        () =>
          refusal('tool', {
            code: refusalCodes.boardNotFound,
            message: 'Boards are looked up in the default workspace.',
          }),
      ),
    ),
  'workspace-wanted-by-images': defect('refuses a proposal that names no workspace')
    .breaks('image-proposals.works-without-argument', 'confirmations.unnamed-workspace', 'confirmations.dispatched')
    .by(
      aroundTool(tool, (generate) => (call) => {
        if (call.args.workspace !== undefined) return generate(call);
        return refusal('tool', { code: 'workspace_required', message: 'Name a workspace.' });
      }),
    ),
};

/** Returns the first board of the requested workspace. */
function firstBoard({ body, key, state }: Call): unknown {
  const slug = key?.reach.find((each) => each === (body.workspace ?? key.storedDefault));
  return slug === undefined ? undefined : state.workspace(slug).content.boards[0].id;
}

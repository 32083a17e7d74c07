import type { ToolCall } from '../../../../stub/server/behavior.ts';
import { refusal } from '../../../../stub/server/responses.ts';
import { aroundTool } from '../../../../stub/variants/changes/responses.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { openTo, toDefault } from '../../changes/workspaces.ts';

const tool = 'images.generate';

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
  'workspace-wanted-by-images': defect('refuses a proposal that names no workspace')
    .breaks('image-proposals.works-without-argument', 'confirmations.unnamed-workspace', 'confirmations.dispatched')
    .by(
      aroundTool(tool, (generate) => (call) => {
        if (call.args.workspace !== undefined) return generate(call);
        return refusal('tool', { code: 'workspace_required', message: 'Name a workspace.' });
      }),
    ),
};

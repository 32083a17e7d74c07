import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import type { Call, ToolCall } from '../../../../stub/server/behavior.ts';
import { refusal } from '../../../../stub/server/responses.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { issuing } from '../../changes/confirmations.ts';
import {
  afterTool,
  aroundTool,
  both,
  type Change,
  changing,
  field,
  fields,
  from,
  inside,
  proposal,
} from '../../changes/responses.ts';
import { converting, openTo, toDefault } from '../../changes/steps.ts';

const tool = 'images.generate';

const proposing = (...changes: readonly Change[]): Deviation => changing(proposal, ...changes);

/** Changes a field of proposals and of responses to a dispatch. */
const echoing = (name: string, change: (value: unknown, call: Call) => unknown): Deviation =>
  changing(
    both(from(tool), ({ body }) => body.ok === true),
    field(name, change),
  );

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

/** Confirms some proposals immediately. */
const confirmingAtOnce = (when: (call: ToolCall<typeof tool>) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    if (!when(call)) return generate(call);
    const { confirmation_id: _, ...request } = call.args;
    const { confirmation_id } = generate({ ...call, args: request }).body;
    return typeof confirmation_id === 'string'
      ? generate({ ...call, args: { ...request, confirmation_id } })
      : generate(call);
  });

const argument = (name: string, value: unknown) => confirmingAtOnce(({ args }) => args[name] === value);
const inQuery = (text: string) => confirmingAtOnce(({ request }) => request.path.includes(text));
const inHeader = (name: string, value: string) => confirmingAtOnce(({ request }) => request.headers[name] === value);

/** Defects in proposals, and in what confirms them. */
export const proposalDefects = {
  'confirmation-id-as-number': defect('sends confirmation_id as a number')
    .breaks('image-proposals.confirmation-id')
    .by(proposing(fields({ confirmation_id: 17 }))),
  'confirmation-id-by-request': defect('derives the confirmation_id from the arguments')
    .breaks('image-proposals.confirmation-id-new')
    .by(
      issuing(({ args, place }) =>
        JSON.stringify([place.workspace.content.slug, args.board, args.brief, args.count, args.shape]),
      ),
    ),
  'summary-empty': defect('sends an empty request_summary')
    .breaks('image-proposals.request-summary')
    .by(proposing(fields({ request_summary: '' }))),
  'run-id-made-ahead': defect('sends a run_id in a proposal, before anything runs')
    .breaks('image-proposals.run-id-null')
    .by(proposing(field('run_id', (_, { state }) => state.nextId('run')))),
  'count-as-text': defect('sends the count as a string')
    .breaks('image-proposals.count-as-asked', 'confirmations.reply-as-confirmed', 'confirmations.changed-count')
    .by(echoing('count', String)),
  'shape-with-x': defect('writes aspect_ratio with an x instead of a colon, such as 1x1')
    .breaks('image-proposals.aspect-ratio-as-asked')
    .by(proposing(field('aspect_ratio', (shape) => String(shape).replace(':', 'x')))),
  'board-by-name': defect('sends the name of the board as board_id')
    .breaks('image-proposals.board-as-asked')
    .by(proposing(field('board_id', (_, { place }) => place?.workspace.content.boards[0].name))),
  'board-of-the-first-proposal': defect('sends the board of the first proposal in a workspace with every later one')
    .breaks('image-proposals.board-as-asked')
    .by((behavior) => {
      const first = new Map<string, unknown>();
      return proposing(
        field('board_id', (board, { place }) => {
          const slug = place?.workspace.slug ?? '';
          first.set(slug, first.get(slug) ?? board);
          return first.get(slug);
        }),
      )(behavior);
    }),
  'proposal-without-source': defect('leaves out the source from working_in in proposals')
    .breaks('image-proposals.working-in-source')
    .by(proposing(inside('working_in', { source: undefined }))),
  'proposal-reserves-credits': defect('charges the credits for images when they are proposed')
    .breaks('image-proposals.spends-nothing')
    .by(
      afterTool(tool, ({ body }, { account, args, behavior }) => {
        if (body.status === 'confirmation_required') account.credits -= args.count * behavior.images.creditsEach;
      }),
    ),
  'proposal-elsewhere-reserves-credits': defect('charges for proposals in all workspaces but the first of an account')
    .breaks('image-proposals.spends-nothing')
    .by(
      afterTool(tool, ({ body }, { account, args, place }) => {
        const isFirst = place.workspace.slug === account.workspaces[0];
        if (body.status === 'confirmation_required' && !isFirst) account.credits -= args.count;
      }),
    ),
  'refused-confirmation-costs-credits': defect('charges credits for a confirmation that it refuses')
    .breaks(
      'image-proposals.spends-nothing',
      'confirmations.charged-as-proposed',
      'confirmations.refused-costs-nothing',
    )
    .by(
      afterTool(tool, ({ body }, { account, args }) => {
        if (body.code === refusalCodes.confirmationInvalid) account.credits -= args.count;
      }),
    ),
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
  'images-in-the-default': defect('looks up boards in the default workspace, whatever the request names')
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
  'prefer-header-confirms': defect('dispatches without a confirmation if the header Prefer is respond-sync')
    .breaks('image-proposals.no-header-confirms')
    .by(inHeader('prefer', 'respond-sync')),
  'confirm-in-query-confirms': defect('dispatches without a confirmation if the URL contains confirm=true')
    .breaks('image-proposals.no-query-parameter-confirms')
    .by(inQuery('confirm=true')),
  'confirm-argument-confirms': defect('dispatches without a confirmation if the argument confirm is true')
    .breaks('image-proposals.no-argument-confirms')
    .by(argument('confirm', true)),
  'empty-id-confirms': defect('dispatches without a confirmation if confirmation_id is empty')
    .breaks('image-proposals.empty-id-never-confirms')
    .by(argument('confirmation_id', '')),
  'null-id-confirms': defect('dispatches without a confirmation if confirmation_id is null')
    .breaks('image-proposals.null-id-never-confirms')
    .by((behavior) =>
      converting(
        'confirmation_id',
        (id) => (id === null ? 'null' : id),
        tool,
      )(argument('confirmation_id', 'null')(behavior)),
    ),
  'confirmation-id-cut-to-its-column': defect('truncates a confirmation ID to the width of its database column')
    .breaks('image-proposals.near-miss-id-never-confirms')
    .by(converting('confirmation_id', (id) => (typeof id === 'string' ? id.slice(0, 24) : id), tool)),
};

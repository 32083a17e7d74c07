import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import type { Call } from '../../../../stub/server/behavior.ts';
import { issuing } from '../../../../stub/variants/changes/confirmations.ts';
import {
  both,
  type Change,
  changing,
  field,
  fields,
  from,
  proposal,
} from '../../../../stub/variants/changes/responses.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { afterTool, inside } from '../../changes/responses.ts';

const tool = 'images.generate';

const proposing = (...changes: readonly Change[]): Deviation => changing(proposal, ...changes);

/** Changes a field of proposals and of responses to a dispatch. */
const echoing = (name: string, change: (value: unknown, call: Call) => unknown): Deviation =>
  changing(
    both(from(tool), ({ body }) => body.ok === true),
    field(name, change),
  );

/** Defects in proposals. */
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
};

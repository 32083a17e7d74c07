import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import type { ToolCall } from '../../../server/behavior.ts';
import { refusal } from '../../../server/responses.ts';
import type { Confirmation, ImageRequest } from '../../../server/state/confirmations.ts';
import { taking } from '../../changes/arguments.ts';
import { burning, cancelling, confirming, issueAgain, proposeAnew } from '../../changes/confirmations.ts';
import { aroundTool, type Change, changing, dispatch, field, fields } from '../../changes/responses.ts';
import { around, settling } from '../../changes/steps.ts';
import { namingUnknown } from '../../changes/workspaces.ts';
import type { Deviation } from '../../deviation.ts';
import { defect } from '../defect.ts';

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

const dispatching = (...changes: readonly Change[]): Deviation => changing(dispatch, ...changes);

/** Lets the confirming request change the confirmed request. */
const rebinding = (change: (args: ImagesCall['args']) => Partial<ImageRequest>): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
    if (held !== undefined) {
      const changed: Confirmation = { ...held, request: { ...held.request, ...change(call.args) } };
      issueAgain(call.state, changed);
    }
    return generate(call);
  });

/** Defects in confirmed requests. */
export const dispatchDefects = {
  'dispatch-called-running': defect('sends the status of a dispatched reply as running')
    .breaks('confirmations.dispatched', 'expiry.alive-early')
    .by(dispatching(fields({ status: 'running' }))),
  'third-call-wanted': defect('returns another proposal for a confirmation')
    .breaks('confirmations.dispatched', 'expiry.alive-early')
    .by(
      aroundTool(tool, (generate) => (call) => {
        const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
        return held === undefined ? generate(call) : proposeAnew(generate, call);
      }),
    ),
  'run-id-null': defect('sends run_id as null in a dispatched reply')
    .breaks('confirmations.run-id')
    .by(dispatching(fields({ run_id: null }))),
  'run-id-as-number': defect('sends run_id as a number')
    .breaks('confirmations.run-id')
    .by((behavior) => {
      let last = 0;
      return dispatching(field('run_id', () => (last += 1)))(behavior);
    }),
  'run-id-by-second': defect('derives run ids from the time in seconds')
    .breaks('confirmations.run-id-new')
    .by(dispatching(field('run_id', (_, { state }) => `run_${Math.floor(state.clock.now() / 1000)}`))),
  'run-id-of-the-board': defect('gives the runs of one board the same id')
    .breaks('confirmations.run-id-new')
    .by(dispatching((response, call) => fields({ run_id: `run_${response.body.board_id}` })(response, call))),
  'dispatch-repeats-the-id': defect('repeats the confirmation_id in a dispatched reply')
    .breaks('confirmations.confirmation-id-null')
    .by(dispatching(field('confirmation_id', (_, { args }) => args.confirmation_id))),
  'dispatch-without-the-id': defect('leaves out confirmation_id from a dispatched reply')
    .breaks('confirmations.confirmation-id-null')
    .by(dispatching(fields({ confirmation_id: undefined }))),
  'dispatch-repeats-the-summary': defect('repeats a request_summary in a dispatched reply')
    .breaks('confirmations.request-summary-null')
    .by(dispatching(fields({ request_summary: 'These images are being made.' }))),
  'dispatch-without-the-summary': defect('leaves out request_summary from a dispatched reply')
    .breaks('confirmations.request-summary-null')
    .by(dispatching(fields({ request_summary: undefined }))),
  'dispatch-tells-count-left': defect('sends the number of remaining images as count of a dispatched reply')
    .breaks('confirmations.reply-as-confirmed', 'confirmations.changed-count')
    .by(dispatching(field('count', (count) => Number(count) - 1))),
  'dispatch-without-aspect-ratio': defect('leaves out aspect_ratio from a dispatched reply')
    .breaks('confirmations.reply-as-confirmed', 'confirmations.changed-shape')
    .by(dispatching(fields({ aspect_ratio: undefined }))),
  'second-call-decides-count': defect('uses the count of the second call instead of the proposed count')
    .breaks('confirmations.changed-count')
    .by(rebinding(({ count }) => ({ count }))),
  'second-call-decides-shape': defect('uses the shape of the second call instead of the proposed shape')
    .breaks('confirmations.changed-shape')
    .by(rebinding(({ shape }) => ({ shape }))),
  'second-call-decides-board': defect('uses the board of the second call instead of the proposed board')
    .breaks('confirmations.changed-board')
    .by(rebinding(({ board }) => ({ board }))),
  'second-call-lowers-count': defect('runs fewer images if the count of the second call is lower')
    .breaks('confirmations.changed-count')
    .by(dispatching(field('count', (count, { args }) => Math.min(Number(count), Number(args.count))))),
  'larger-count-refused': defect(`returns ${refusalCodes.confirmationInvalid} if the second call has another count`)
    .breaks('confirmations.changed-count')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) => accepts(held, call) && held.request.count === call.args.count,
      })),
    ),
  'id-bound-to-the-action': defect('binds an id to the action and runs the arguments of the second call')
    .breaks('confirmations.changed-count', 'confirmations.changed-shape', 'confirmations.changed-board')
    .by(rebinding(({ board, brief, count, shape }) => ({ board, brief, count, shape }))),
  'id-alone-confirms': defect('requires no argument but the id on the second call')
    .breaks('confirmations.request-missing-refused')
    .by(
      taking(
        (args, { state }) => ({ ...state.confirmations.find(String(args.confirmation_id))?.request, ...args }),
        tool,
      ),
    ),
  'brief-not-wanted-to-confirm': defect('requires no brief on the second call')
    .breaks('confirmations.request-missing-refused', 'arguments.all-fields-named')
    .by(
      taking((args, { state }) => {
        const held = state.confirmations.find(String(args.confirmation_id));
        return held === undefined ? args : { brief: held.request.brief, ...args };
      }, tool),
    ),
  'confirmation-bound-to-the-argument': defect(
    'binds an id to the workspace argument instead of the workspace that it was issued in',
  )
    .breaks('confirmations.unnamed-workspace')
    .by((behavior) => {
      const named = new Map<unknown, string | undefined>();
      return aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: id, workspace } = call.args;
        const other = id !== undefined && named.has(id) && named.get(id) !== workspace;
        const response = generate(other ? { ...call, args: { ...call.args, confirmation_id: 'none' } } : call);
        if (typeof response.body.confirmation_id === 'string') named.set(response.body.confirmation_id, workspace);
        return response;
      })(behavior);
    }),
  'unknown-workspace-confirms': defect(
    'confirms in the workspace of the proposal if the second call names an unknown one',
  )
    .breaks('image-proposals.workspace-unknown-refused', 'workspaces.argument-honoured')
    .by(
      settling((call) => {
        const held = call.state.confirmations.find(String(call.body.confirmation_id));
        return held !== undefined && namingUnknown(call) ? [held.workspace, 'call-override'] : undefined;
      }),
    ),
  'confirmation-burnt-in-another-workspace': defect('consumes an id that is presented in another workspace')
    .breaks('confirmations.refusals-leave-open')
    .by(burning((held, { place }) => held.workspace !== place.workspace.slug)),
  'confirmation-burnt-by-another-account': defect('consumes an id that another account presents')
    .breaks('confirmations.refusals-leave-open')
    .by(burning((held, { account }) => held.account !== account.id)),
  'confirmation-burnt-by-invalid-arguments': defect('consumes an id before it validates the arguments')
    .breaks('confirmations.refusals-leave-open')
    .by(
      around('checkArguments', (check) => (call) => {
        const response = check(call);
        if (response !== undefined) call.state.confirmations.consume(String(call.body.confirmation_id));
        return response;
      }),
    ),
  'confirmation-burnt-by-unknown-board': defect('consumes an id although it does not find the board of the second call')
    .breaks('confirmations.refusals-leave-open')
    .by(
      aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: id, board } = call.args;
        const known = call.place.workspace.content.boards.some((each) => each.id === board);
        if (known || id === undefined) return generate(call);
        call.state.confirmations.consume(id);
        return refusal('tool', { code: call.behavior.codes.boardNotFound, message: 'There is no such board.' });
      }),
    ),
  'dispatch-cancels-the-others': defect('cancels all open proposals of a workspace when it dispatches one')
    .breaks(
      'confirmations.others-leave-open',
      'confirmations.refusals-leave-open',
      'confirmations.changed-count',
      'confirmations.changed-shape',
      'confirmations.changed-board',
      'confirmations.recovery',
      'race.one-dispatches',
    )
    .by(cancelling('dispatched')),
  'proposal-cancels-the-one-before': defect('keeps only the latest proposal of each workspace')
    .breaks('confirmations.dispatched', 'confirmations.others-leave-open')
    .by(cancelling('confirmation_required')),
};

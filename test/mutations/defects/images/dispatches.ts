import type { ToolCall } from '../../../../stub/server/behavior.ts';
import type { Confirmation, ImageRequest } from '../../../../stub/server/state/state.ts';
import { type Deviation, defect, together } from '../../../../stub/variants/defect.ts';
import { boardFirst, burning, cancelling, issueAgain } from '../../changes/confirmations.ts';
import {
  afterTool,
  aroundTool,
  type Change,
  changing,
  dispatch,
  field,
  fields,
  proposal,
} from '../../changes/responses.ts';
import { taking } from '../../changes/steps.ts';

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

const dispatching = (...changes: readonly Change[]): Deviation => changing(dispatch, ...changes);

/** Lets the confirming request change the confirmed request. */
const rebinding = (change: (args: ImagesCall['args']) => Partial<ImageRequest>): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const held = call.state.confirmations.get(call.args.confirmation_id ?? '');
    if (held !== undefined) {
      const changed: Confirmation = { ...held, request: { ...held.request, ...change(call.args) } };
      issueAgain(call.state, changed);
    }
    return generate(call);
  });

/** Changes balances after each dispatch, in addition to the usual charge. */
const recharging = (charge: (call: ImagesCall, dispatched: number) => void): Deviation =>
  afterTool(tool, ({ body }, call) => {
    if (body.status === 'dispatched') charge(call, Number(body.count));
  });

/** Defects in confirmed requests. */
export const dispatchDefects = {
  'changed-count-is-charged': defect('charges for the count of the confirmation instead of the proposed count')
    .breaks('confirmations.charged-as-proposed')
    .by(
      recharging(({ account, args, behavior }, dispatched) => {
        account.credits -= (args.count - dispatched) * behavior.images.creditsEach;
      }),
    ),
  'every-account-is-charged': defect('charges every account for a dispatch')
    .breaks('credits.other-account-unchanged')
    .by(
      recharging(({ account, state, behavior }, dispatched) => {
        for (const other of state.accounts.values())
          if (other !== account) other.credits -= dispatched * behavior.images.creditsEach;
      }),
    ),
  'run-id-of-the-board': defect('sends the same run_id for all runs on one board')
    .breaks('confirmations.run-id-new')
    .by(dispatching((response, call) => fields({ run_id: `run_${response.body.board_id}` })(response, call))),
  'dispatch-without-the-id': defect('leaves out confirmation_id when it dispatches')
    .breaks('confirmations.confirmation-id-null')
    .by(dispatching(fields({ confirmation_id: undefined }))),
  'dispatch-repeats-the-summary': defect('sends a request_summary when it dispatches')
    .breaks('confirmations.request-summary-null')
    .by(dispatching(fields({ request_summary: 'These images are being made.' }))),
  'dispatch-shows-the-latest-shape': defect('sends the aspect_ratio of the latest proposal of the key with a dispatch')
    .breaks('confirmations.reply-as-confirmed', 'confirmations.changed-shape')
    .by((behavior) => {
      const latest = new Map<string | undefined, unknown>();
      return together(
        changing(
          proposal,
          field('aspect_ratio', (shape, { key }) => {
            latest.set(key?.secret, shape);
            return shape;
          }),
        ),
        dispatching(field('aspect_ratio', (_, { key }) => latest.get(key?.secret))),
      )(behavior);
    }),
  'second-call-decides-count': defect('dispatches the count of the second call instead of the proposed count')
    .breaks('confirmations.changed-count')
    .by(rebinding(({ count }) => ({ count }))),
  'second-call-decides-known-board': defect('dispatches to the board of the second call if it is in the workspace')
    .breaks('confirmations.changed-board')
    .by((behavior) => boardFirst(rebinding(({ board }) => ({ board }))(behavior))),
  'id-bound-to-the-action': defect('dispatches all arguments of the second call instead of the proposed ones')
    .breaks(
      'confirmations.changed-count',
      'confirmations.changed-shape',
      'confirmations.changed-board',
      'confirmations.changed-brief',
    )
    .by(rebinding(({ board, brief, count, shape }) => ({ board, brief, count, shape }))),
  'id-alone-confirms': defect('requires no argument except confirmation_id on the second call')
    .breaks('confirmations.request-missing-refused')
    .by(
      taking(
        (args, { state }) => ({ ...state.confirmations.get(String(args.confirmation_id))?.request, ...args }),
        tool,
      ),
    ),
  'confirmation-burnt-in-another-workspace': defect('consumes a confirmation ID that is presented in another workspace')
    .breaks('confirmations.refusals-leave-open')
    .by(burning((held, { place }) => held.workspace !== place.workspace.slug)),
  'dispatch-cancels-the-others': defect('cancels all open proposals of a workspace when it dispatches one of them')
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
};

import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { carried, dispatched } from './confirming.ts';
import { around, withArgs } from './mutation.ts';

/** Deviations of the binding of confirmations and of dispatches. */
export const dispatchMutations = {
  'new-larger-count-is-replied': dispatched('the reply has the count of call 2 when it is larger', (body, { args }) => {
    if (Number(args.count) > Number(body.count)) body.count = Number(args.count);
  }),
  'unknown-new-board-is-replied': around(
    'the reply has the board of call 2, whatever it is',
    () => async (call, next) => {
      const board = carried(call)?.request.board;
      const answer = await next(board ? withArgs(call.received, { ...call.args, board }) : call.received);
      if (answer.body.status === 'dispatched') answer.body.board_id = call.args.board ?? null;
      return answer;
    },
  ),
  'run-id-constant': dispatched('every run has the same run_id', (body) => {
    body.run_id = 'run-1';
  }),
  'summary-empty': dispatched('the dispatched reply has an empty sentence', (body) => {
    body.request_summary = '';
  }),
  'count-absent-on-dispatched': dispatched('the dispatched reply has no count', (body) => {
    delete body.count;
  }),
  'no-proposal-after-invalid': around(
    `after ${refusalCodes.confirmationInvalid} the next proposal of the key is refused too`,
    () => {
      const locked = new Set<string>();
      return async (call, next) => {
        const secret = call.key?.secret ?? '';
        const proposes = call.tool === 'images.generate' && call.args.confirmation_id === undefined;
        const stays = proposes && locked.delete(secret);
        const answer = await next(
          stays ? withArgs(call.received, { ...call.args, confirmation_id: '-' }) : call.received,
        );
        if (!stays && answer.body.code === refusalCodes.confirmationInvalid) locked.add(secret);
        return answer;
      };
    },
  ),
};

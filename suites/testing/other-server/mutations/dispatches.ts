import { bending, carried, dispatched } from './confirming.ts';
import { around, isText, withArgs } from './mutation.ts';

/** What a confirmation is bound to, and the dispatched reply. */
export const dispatchMutations = {
  'new-count-runs': bending('the count of call 2 runs', (confirmation, { args }) => {
    if (typeof args.count === 'number') confirmation.request.count = args.count;
  }),
  'new-larger-count-is-replied': dispatched('the reply has the count of call 2 when it is larger', (body, { args }) => {
    if (Number(args.count) > Number(body.count)) body.count = Number(args.count);
  }),
  'new-shape-runs': bending('the shape of call 2 runs', (confirmation, { args }) => {
    if (isText(args.shape)) confirmation.request.shape = args.shape;
  }),
  'new-board-runs': bending('the board of call 2 runs', (confirmation, { args, key }) => {
    const board = confirmation.workspace.boards.find(({ id }) => id === args.board);
    if (board && confirmation.key === key) confirmation.request.board = board.id;
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
  'changed-count-is-refused': around(
    'a changed count is refused, though a proposal for it would not be',
    () => async (call, next) => {
      const confirmation = carried(call);
      const changed = confirmation && confirmation.request.count !== call.args.count;
      return next(
        changed ? withArgs(call.received, { ...call.args, brief: 'changed', confirmation_id: '-' }) : call.received,
      );
    },
  ),
  'run-id-constant': dispatched('every run has the same run_id', (body) => {
    body.run_id = 'run-1';
  }),
  'run-id-of-the-board': dispatched('runs on one board have one run_id', (body) => {
    body.run_id = `run-${body.board_id}`;
  }),
  'run-id-null': dispatched('a dispatched reply has run_id: null', (body) => {
    body.run_id = null;
  }),
  'run-id-as-number': dispatched('run_id is a number', (body) => {
    body.run_id = Number(body.run_id);
  }),
  'confirmation-id-kept': dispatched('the dispatched reply repeats the confirmation_id', (body, { args }) => {
    body.confirmation_id = args.confirmation_id ?? null;
  }),
  'confirmation-id-absent': dispatched('the dispatched reply has no confirmation_id', (body) => {
    delete body.confirmation_id;
  }),
  'summary-kept': dispatched('the dispatched reply repeats the sentence', (body) => {
    body.request_summary = 'Made.';
  }),
  'summary-empty': dispatched('the dispatched reply has an empty sentence', (body) => {
    body.request_summary = '';
  }),
  'dispatched-renamed': dispatched('the status is running', (body) => {
    body.status = 'running';
  }),
  'count-absent-on-dispatched': dispatched('the dispatched reply has no count', (body) => {
    delete body.count;
  }),
  'aspect-absent-on-dispatched': dispatched('the dispatched reply has no aspect_ratio', (body) => {
    delete body.aspect_ratio;
  }),
  'no-proposal-after-invalid': around('after confirmation_invalid the next proposal of the key is refused too', () => {
    const locked = new Set<string>();
    return async (call, next) => {
      const secret = call.key?.secret ?? '';
      const proposes = call.tool === 'images.generate' && call.args.confirmation_id === undefined;
      const stays = proposes && locked.delete(secret);
      const answer = await next(
        stays ? withArgs(call.received, { ...call.args, confirmation_id: '-' }) : call.received,
      );
      if (!stays && answer.body.code === 'confirmation_invalid') locked.add(secret);
      return answer;
    };
  }),
  'one-proposal-at-a-time': bending('a later proposal of the key makes an id invalid', (confirmation, { world }) => {
    const last = [...world.confirmations.values()].findLast(({ key }) => key === confirmation.key);
    if (last && last !== confirmation) confirmation.used = true;
  }),
};

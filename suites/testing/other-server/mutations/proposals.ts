import type { Received } from '../answer.ts';
import type { JsonObject } from '../json.ts';
import type { Handler } from '../pipeline.ts';
import { answers, around, type Call, isAbout, isText, requests, withArgs, without } from './mutation.ts';

const images = 'images.generate';
const isProposal = ({ tool, args }: Call) => tool === images && args.confirmation_id === undefined;

/** Edits proposals. */
const proposal = (description: string, edit: (body: JsonObject, call: Call) => void) =>
  answers(description, (answer, call) => {
    if (answer.body.status === 'confirmation_required') edit(answer.body, call);
  });

/** Proposes and confirms in one call. */
const dispatch = async (received: Received, args: JsonObject, next: Handler) => {
  const proposed = await next(withArgs(received, args));
  const { confirmation_id } = proposed.body;
  return isText(confirmation_id) ? next(withArgs(received, { ...args, confirmation_id })) : proposed;
};

/** Lets a call that should only propose spend at once. */
const wayRound = (description: string, opens: (call: Call) => boolean) =>
  around(description, () => async (call, next) => {
    if (call.tool !== images || !opens(call)) return next(call.received);
    const known = ['board', 'brief', 'count', 'shape', 'workspace'];
    const args = Object.fromEntries(Object.entries(call.args).filter(([name]) => known.includes(name)));
    return dispatch(call.received, args, next);
  });

/** Changes the arguments of a proposal. */
const proposing = (description: string, edit: (args: JsonObject, call: Call) => JsonObject | undefined) =>
  requests(description, (call) => {
    const args = isProposal(call) ? edit(call.args, call) : undefined;
    return args ? withArgs(call.received, args) : undefined;
  });

const boardIn = ({ key, args }: Call) => key?.reaches.find(({ slug }) => slug === args.workspace)?.boards[0]?.id;
const allBoards = ({ world }: Call) =>
  [...world.workspaces.values()].flatMap(({ boards }) => boards.map(({ id }) => id));

/** The first call of `images.generate`. */
export const proposalMutations = {
  'proposal-run-id-empty': proposal('a proposal has an empty run_id', (body) => {
    body.run_id = '';
  }),
  'proposal-run-id-absent': proposal('a proposal has no run_id', (body) => {
    delete body.run_id;
  }),
  'proposal-run-id-issued': proposal('a proposal has a run_id', (body) => {
    body.run_id = `run-${body.confirmation_id}`;
  }),
  'summary-null': proposal('a proposal has no sentence to show', (body) => {
    body.request_summary = null;
  }),
  'summary-empty-for-one': proposal('the sentence to show is empty for one image', (body) => {
    if (body.count === 1) body.request_summary = '';
  }),
  'summary-as-object': proposal('the sentence to show is an object', (body) => {
    body.request_summary = { text: body.request_summary ?? '' };
  }),
  'confirmation-id-as-number': proposal('confirmation_id is a number', (body) => {
    body.confirmation_id = Number(body.confirmation_id);
  }),
  'proposed-count-as-text': proposal('count comes back as a string', (body) => {
    body.count = String(body.count);
  }),
  'proposed-count-is-one': proposal('count comes back as 1', (body) => {
    body.count = 1;
  }),
  'proposed-aspect-respelled': proposal('aspect_ratio comes back with an x', (body) => {
    body.aspect_ratio = String(body.aspect_ratio).replace(':', 'x');
  }),
  'proposed-shape-instead-of-aspect': proposal('the shape comes back as shape instead of aspect_ratio', (body) => {
    body.shape = body.aspect_ratio ?? null;
    delete body.aspect_ratio;
  }),
  'proposed-board-by-name': proposal('board_id comes back as the name of the board', (body, { world }) => {
    const boards = [...world.workspaces.values()].flatMap((workspace) => workspace.boards);
    body.board_id = boards.find(({ id }) => id === body.board_id)?.name ?? null;
  }),
  'proposed-status-renamed': proposal('status is needs_confirmation', (body) => {
    body.status = 'needs_confirmation';
  }),
  'proposal-charges': answers('a proposal is charged', (answer, { key }) => {
    if (answer.body.status === 'confirmation_required' && key) key.account.balance -= 1;
  }),
  'proposal-reserves': answers('a proposal is charged for all its images at once', (answer, { key }) => {
    const { count, status } = answer.body;
    if (status === 'confirmation_required' && key) key.account.balance -= Number(count) * 1.5;
  }),
  'one-image-dispatches': wayRound(
    'one image needs no confirmation',
    (call) => isProposal(call) && call.args.count === 1,
  ),
  'confirm-argument-dispatches': wayRound(
    'an argument that is true and sounds like approval skips the confirmation',
    ({ args }) =>
      Object.entries(args).some(([name, value]) => /confirm|approv|force|auto|yes/i.test(name) && value === true),
  ),
  'dry-run-false-dispatches': wayRound(
    'the argument dry_run: false skips the confirmation',
    ({ args }) => args.dry_run === false,
  ),
  'query-dispatches': wayRound('a query parameter that sounds like approval skips the confirmation', ({ received }) =>
    /confirm|approv|force|auto|yes/i.test(received.query),
  ),
  'header-dispatches': wayRound('a header that sounds like approval skips the confirmation', ({ received }) =>
    Object.keys(received.headers).some((name) => /confirm|approv|force|auto-/i.test(name)),
  ),
  'null-id-dispatches': wayRound(
    'confirmation_id: null skips the confirmation',
    ({ args }) => args.confirmation_id === null,
  ),
  'empty-id-dispatches': wayRound(
    'an empty confirmation_id skips the confirmation',
    ({ args }) => args.confirmation_id === '',
  ),
  'third-proposal-dispatches': around('the same proposal for the third time dispatches', () => {
    const asked = new Map<string, number>();
    return async (call, next) => {
      const text = call.received.body.toString();
      const times = (asked.get(text) ?? 0) + 1;
      if (!isProposal(call)) return next(call.received);
      asked.set(text, times);
      return times === 3 ? dispatch(call.received, call.args, next) : next(call.received);
    };
  }),

  'board-of-another-workspace-accepted': proposing('a board of another workspace is accepted', (args, call) => {
    const board = boardIn(call);
    return board && isText(args.board) && allBoards(call).includes(args.board) ? { ...args, board } : undefined;
  }),
  'unknown-board-accepted': proposing('an unknown board is accepted', (args, call) => {
    const board = boardIn(call);
    return board && isText(args.board) && !allBoards(call).includes(args.board) ? { ...args, board } : undefined;
  }),
  'board-elsewhere-is-invalid-arguments': proposing(
    'a board of another workspace is invalid_arguments',
    (args, call) => {
      const own = call.key?.reaches.find(({ slug }) => slug === args.workspace)?.boards.map(({ id }) => id) ?? [];
      const elsewhere = isText(args.board) && allBoards(call).includes(args.board) && !own.includes(args.board);
      return elsewhere ? { ...args, board: 0 } : undefined;
    },
  ),
  'board-not-found-renamed': answers('an unknown board is unknown_board', (answer, call) => {
    const unknown = isText(call.args.board) && !allBoards(call).includes(call.args.board);
    if (answer.body.code === 'board_not_found' && unknown) answer.body.code = 'unknown_board';
  }),
  'board-absent-is-not-found': proposing('a missing board is board_not_found', (args) =>
    args.board === undefined ? { ...args, board: '' } : undefined,
  ),
  'board-absent-is-the-first': proposing('a missing board is the first one', (args, call) => {
    const board = boardIn(call);
    return args.board === undefined && board ? { ...args, board } : undefined;
  }),
  'brief-absent-accepted': proposing('a missing brief is accepted', (args) =>
    args.brief === undefined ? { ...args, brief: '' } : undefined,
  ),
  'shape-absent-accepted': proposing('a missing shape is square', (args) =>
    args.shape === undefined ? { ...args, shape: '1:1' } : undefined,
  ),
  'count-absent-is-one': proposing('a missing count is 1', (args) =>
    args.count === undefined ? { ...args, count: 1 } : undefined,
  ),
  'count-cut': proposing('a count with a fraction is cut', (args) =>
    typeof args.count === 'number' ? { ...args, count: Math.trunc(args.count) || 1 } : undefined,
  ),
  'count-as-text-accepted': proposing('a count in text is read', (args) =>
    isText(args.count) ? { ...args, count: Number(args.count) || 1 } : undefined,
  ),
  'count-issue-does-not-say-so': answers('a missing count is refused without naming it', (answer, { args }) => {
    if (args.count === undefined && isAbout(answer, 'count'))
      answer.body.issues = [{ path: '', message: 'Incomplete.' }];
  }),
  'brief-of-any-type': proposing('a brief that is no string is accepted', (args) =>
    args.brief !== undefined && !isText(args.brief) ? { ...args, brief: JSON.stringify(args.brief) } : undefined,
  ),
  'workspace-forgotten-by-proposals': proposing(
    'a proposal runs in the first workspace when its board is there',
    (args, { key }) => {
      const there = key?.reaches.find(({ boards }) => boards.some(({ id }) => id === args.board));
      return there && args.workspace !== there.slug
        ? { ...without(args, 'workspace'), workspace: there.slug }
        : undefined;
    },
  ),
};

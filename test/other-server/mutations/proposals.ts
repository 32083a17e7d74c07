import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Received } from '../answer.ts';
import type { JsonObject } from '../json.ts';
import type { Handler } from '../pipeline.ts';
import { answers, around, type Call, isText, requests, withArgs, without } from './mutation.ts';

const images = 'images.generate';
const isProposal = ({ tool, args }: Call) => tool === images && args.confirmation_id === undefined;

const proposal = (description: string, edit: (body: JsonObject, call: Call) => void) =>
  answers(description, (answer, call) => {
    if (answer.body.status === 'confirmation_required') edit(answer.body, call);
  });

/** Proposes and confirms with one request. */
const dispatch = async (received: Received, args: JsonObject, next: Handler) => {
  const proposed = await next(withArgs(received, args));
  const { confirmation_id } = proposed.body;
  return isText(confirmation_id) ? next(withArgs(received, { ...args, confirmation_id })) : proposed;
};

/** Lets a request that should only propose spend at once. */
const wayRound = (description: string, opens: (call: Call) => boolean) =>
  around(description, () => async (call, next) => {
    if (call.tool !== images || !opens(call)) return next(call.received);
    const known = ['board', 'brief', 'count', 'shape', 'workspace'];
    const args = Object.fromEntries(Object.entries(call.args).filter(([name]) => known.includes(name)));
    return dispatch(call.received, args, next);
  });

/** Changes the arguments of proposals. */
const proposing = (description: string, edit: (args: JsonObject, call: Call) => JsonObject | undefined) =>
  requests(description, (call) => {
    const args = isProposal(call) ? edit(call.args, call) : undefined;
    return args ? withArgs(call.received, args) : undefined;
  });

const allBoards = ({ world }: Call) =>
  [...world.workspaces.values()].flatMap(({ boards }) => boards.map(({ id }) => id));

/** Deviations of proposals. */
export const proposalMutations = {
  'summary-empty-for-one': proposal('the sentence to show is empty for one image', (body) => {
    if (body.count === 1) body.request_summary = '';
  }),
  'proposed-count-is-one': proposal('count comes back as 1', (body) => {
    body.count = 1;
  }),
  'proposed-shape-instead-of-aspect': proposal('the shape comes back as shape instead of aspect_ratio', (body) => {
    body.shape = body.aspect_ratio ?? null;
    delete body.aspect_ratio;
  }),
  'proposed-status-renamed': proposal('status is needs_confirmation', (body) => {
    body.status = 'needs_confirmation';
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
  'board-elsewhere-is-invalid-arguments': proposing(
    `a board of another workspace is ${refusalCodes.invalidArguments}`,
    (args, call) => {
      const own = call.key?.reaches.find(({ slug }) => slug === args.workspace)?.boards.map(({ id }) => id) ?? [];
      const elsewhere = isText(args.board) && allBoards(call).includes(args.board) && !own.includes(args.board);
      return elsewhere ? { ...args, board: 0 } : undefined;
    },
  ),
  'board-not-found-renamed': answers('an unknown board is unknown_board', (answer, call) => {
    const unknown = isText(call.args.board) && !allBoards(call).includes(call.args.board);
    if (answer.body.code === refusalCodes.boardNotFound && unknown) answer.body.code = 'unknown_board';
  }),
  'board-absent-is-not-found': proposing(`a missing board is ${refusalCodes.boardNotFound}`, (args) =>
    args.board === undefined ? { ...args, board: '' } : undefined,
  ),
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

import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime } from '../../fixtures/contract/limits.ts';
import { type Answer, declined, type Run, success, text } from './answer.ts';
import { invalidArgument } from './arguments.ts';
import type { JsonObject } from './json.ts';
import type { Confirmation } from './world.ts';

const creditsPerImage = 1.5;

/** `images.generate` ("Confirmation of a spending action"). */
export const generateImages = (run: Run): Answer => {
  const { args, world } = run;
  const given = Object.hasOwn(args, 'confirmation_id') ? args.confirmation_id : undefined;
  const proposes = given === undefined || (given === '' && world.options.emptyConfirmation === 'proposal');
  return proposes ? propose(run) : confirm(run, text(given));
};

const requestOf = (args: JsonObject): Confirmation['request'] => ({
  board: text(args.board),
  brief: text(args.brief),
  count: Number(args.count),
  shape: text(args.shape),
});

const boardNotFound = (run: Run) =>
  declined(run, refusalCodes.boardNotFound, 'That board is not on this desk; look at working_in.');

const hasBoard = (run: Run, board: string) => run.workspace.boards.some(({ id }) => id === board);

/** Refuses a count or shape that the server does not offer, for proposals and confirmations alike. */
const notOffered = (run: Run, which: 'count' | 'shape', request: Confirmation['request']): Answer | undefined => {
  const { options } = run.world;
  const offered =
    which === 'count'
      ? request.count >= 1 && request.count <= options.maxCount
      : options.shapes.includes(request.shape);
  if (offered) return undefined;
  const message = which === 'count' ? `From 1 to ${options.maxCount} at once.` : `One of ${options.shapes.join(', ')}.`;
  return options.overLimitAs === 'own-code'
    ? declined(run, options.codes.overLimit, message)
    : invalidArgument(run.world, which, message);
};

const propose = (run: Run): Answer => {
  const { world, workspace, key } = run;
  const request = requestOf(run.args);
  if (!hasBoard(run, request.board)) return boardNotFound(run);
  const refused = notOffered(run, 'count', request) ?? notOffered(run, 'shape', request);
  if (refused) return refused;
  const id = world.nextId('ok');
  world.confirmations.set(id, { id, key, workspace, request, issuedAt: world.now(), used: false });
  world.counters.proposals += 1;
  const fields = {
    status: 'confirmation_required',
    confirmation_id: id,
    request_summary: `Make ${request.count} in ${request.shape} for ${request.count * creditsPerImage} credits?`,
    run_id: null,
  };
  return success(run, { ...fields, ...shown(request) }, 'source');
};

const shown = (request: Confirmation['request']) => ({
  count: request.count,
  aspect_ratio: request.shape,
  board_id: request.board,
});

const isAlive = ({ world, key, workspace }: Run, confirmation: Confirmation) => {
  const { confirmationByOtherKey, confirmationMinutes } = world.options;
  return (
    !confirmation.used &&
    confirmation.workspace === workspace &&
    confirmation.key.account === key.account &&
    (confirmation.key === key || confirmationByOtherKey === 'allowed') &&
    world.now() - confirmation.issuedAt < confirmationMinutes * 60_000
  );
};

const confirm = (run: Run, id: string): Answer => {
  const { world, workspace } = run;
  const asked = requestOf(run.args);
  if (!world.options.confirmationBeforeBoard && !hasBoard(run, asked.board)) return boardNotFound(run);
  const confirmation = world.confirmations.get(id);
  if (!confirmation || !isAlive(run, confirmation)) {
    return declined(
      run,
      refusalCodes.confirmationInvalid,
      `Ask again: a confirmation is good once, for ${aboutLifetime}.`,
    );
  }
  const { request } = confirmation;
  const refused = changedTooFar(run, asked, request);
  if (refused) return refused;
  const cost = request.count * creditsPerImage;
  if (cost > workspace.account.balance) return declined(run, 'credits_short', 'There are not enough credits.');

  confirmation.used = true;
  workspace.account.balance -= cost;
  world.counters.imagesConfirmed += request.count;
  const board = workspace.boards.find((candidate) => candidate.id === request.board);
  for (let made = 0; made < request.count; made += 1) {
    const named = { kind: 'picture', id: world.nextId('item'), title: request.brief, roll: 'a-roll', pinned: false };
    workspace.items.push({ ...named, source_board_name: board?.name ?? '' });
  }
  const fields = { status: 'dispatched', confirmation_id: null, request_summary: null, run_id: world.nextId('run') };
  const where = world.options.workingInOnDispatch ? {} : { working_in: null };
  return success(run, { ...fields, ...shown(request), ...where });
};

/** Refuses changes in a confirmation that this server does not ignore. */
const changedTooFar = (run: Run, asked: Confirmation['request'], shownThen: Confirmation['request']) => {
  const { changedOnConfirm, codes } = run.world.options;
  if (asked.board !== shownThen.board && changedOnConfirm.board === 'refuse') {
    return hasBoard(run, asked.board)
      ? declined(run, codes.requestChanged, 'Another board was shown.')
      : boardNotFound(run);
  }
  if (asked.brief !== shownThen.brief && changedOnConfirm.brief === 'refuse') {
    return declined(run, codes.requestChanged, 'Another brief was shown.');
  }
  const count = changedOnConfirm.count === 'refuse' ? notOffered(run, 'count', asked) : undefined;
  return count ?? (changedOnConfirm.shape === 'refuse' ? notOffered(run, 'shape', asked) : undefined);
};

import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { hasBoard } from '../../exchange/history.ts';
import { refusal } from '../../model/answers.ts';
import { row, sameRequest } from '../../model/rule.ts';
import { declinedWith } from '../../model/world/house-rules.ts';
import { isProposal } from '../../model/world/ids.ts';
import { itemsIn, type LibraryItem } from '../../model/world/items.ts';
import { alwaysResolves } from '../../model/world/plain.ts';
import type { Seen } from '../../model/world/seen.ts';
import { isKnown } from '../deployment.ts';
import { search } from '../requests/library.ts';
import { resembling } from '../requests/mutations.ts';
import { hexadecimal, otherCase, proposing, resemblingId } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story, toPropose } from '../story.ts';
import { refusesInaccessible } from '../workspaces/reach.ts';
import { controlWithout, isFirstCall, mayBeForBrief, tool } from './proposals.ts';

const boardHint = 'Look up the board only in the workspace that the request runs in.';

/** Returns the format of an identifier, with all letters and digits replaced by `x`. */
const formOf = (id: string) => id.replace(/[0-9a-z]/gi, 'x');

/** Whether a board has the format of an existing one. A server may refuse other formats with another code. */
function hasForm(board: unknown, { knowledge }: Seen): boolean {
  return typeof board === 'string' && knowledge.boards.some((known) => formOf(known.board) === formOf(board));
}

const boardUnknown = row('image-proposals.board-unknown-refused', {
  must: `The server MUST return ${quoted.boardNotFound} for a board that does not exist.`,
  source: `Errors, ${refusalCodes.boardNotFound}`,
  applies: (exchange) => isFirstCall(exchange) && exchange.invented.includes('board'),
  control: controlWithout('board'),
  answers: ({ request }, seen) => [
    refusal(hasForm(request.args?.board, seen) ? refusalCodes.boardNotFound : undefined),
  ],
  hint: boardHint,
});

const boardElsewhere = row('image-proposals.board-elsewhere-refused', {
  must: `The server MUST return ${quoted.boardNotFound} for a board of another workspace.`,
  source: `Errors, ${refusalCodes.boardNotFound}`,
  severity: 'data-isolation',
  applies: (exchange, seen) => isFirstCall(exchange) && isElsewhere(exchange, seen),
  control: controlWithout('board'),
  answers: [refusal(refusalCodes.boardNotFound)],
  hint: boardHint,
});

/**
 * Whether the board is known in another workspace of the account, and not in the workspace of the request. A board of
 * another account proves nothing, because two accounts may use the same IDs.
 */
function isElsewhere(exchange: Completed, seen: Seen): boolean {
  const { sender, request } = exchange;
  const here = seen.places.of(exchange);
  const { workspaces, boards } = seen.knowledge;
  const accounts = workspaces.filter(({ workspace }) => workspace === here).map(({ account }) => account);
  const places = boards.filter(({ board, account }) => board === request.args?.board && accounts.includes(account));
  const mayRunElsewhere = request.args?.workspace !== undefined && seen.places.mayBePinned(sender.role);
  return places.length > 0 && places.every(({ workspace }) => workspace !== here) && !mayRunElsewhere;
}

export const wrongPlaces = story('proposals in other workspaces and boards', {
  needs: toPropose,
  steps: async (t) => {
    const board = String(t.proposal().board);
    const unknown = [
      resemblingId(board, t.text('unknown board')),
      'constructor',
      '',
      ...new Set(similarBoards(t, board)),
      ...nameOfBoard(itemsIn(await t.sendOnce('list the most recent items', search(t, ''))), board),
    ];
    const requests = unknown.map((board) => ({ ...proposing(t, { board }), invented: ['board'] }));
    await t.sendInParallel('propose on a board that does not exist', requests);
    const nowhere = { ...proposing(t, { workspace: t.unknownWorkspace() }), invented: ['workspace'] };
    await t.send('propose in a workspace that does not exist', nowhere);
    await t.part(async () => {
      await t.send('propose on a board of the other workspace', proposing(t, { board: t.setting('otherBoard') }));
    });
    await t.part(async () => {
      const theirs = t.setting('otherAccountWorkspace');
      const their = { workspace: theirs, board: t.deployment.otherAccountBoard ?? board };
      await t.send('propose in a workspace of another account', proposing(t, their));
    });
  },
  requirements: [boardUnknown, boardElsewhere, ...refusesInaccessible('image-proposals', tool)],
  alsoTests: ['headers.tool-error-on-board-not-found'],
});

/** Returns the name of a board, if it contains a space, as no board ID does. */
function nameOfBoard(items: readonly LibraryItem[], board: string): string[] {
  const names = items.map((item) => item.source_board_name);
  const name = names.find((each) => typeof each === 'string' && / /.test(each));
  return typeof name === 'string' && !/ /.test(board) ? [name] : [];
}

/** Returns unknown board IDs that resemble an existing one, including other cases unless the ID is hexadecimal. */
function similarBoards(t: Steps, board: string): string[] {
  const spellings = hexadecimal.test(board) ? [] : [otherCase(board)];
  return [`${board}x`, ...spellings, ...resembling(t, 'boards', board)].filter(
    (other) => !isKnown(t.deployment, other),
  );
}

export const worksWithout = row('image-proposals.works-without-argument', {
  must: 'The server MUST accept a proposal without `workspace` from a key with a pin, a default or only one workspace.',
  source: 'Authentication, 6; images.generate, request',
  applies: (exchange, seen) => {
    const { role } = exchange.sender;
    const unnamed = exchange.request.args?.workspace === undefined && exchange.invented.length === 0;
    if (!seen.knowledge.complete) return false;
    if (!isFirstCall(exchange) || !alwaysResolves(role) || !unnamed || seen.places.own(role) === undefined)
      return false;
    if (declinedWith(exchange) !== undefined || mayBeForBrief(exchange)) return false;
    // If no board of that workspace is known, the response only proves that the key resolves to a workspace.
    return isBoardOf(exchange, seen) || !isRefusal(exchange, refusalCodes.invalidArguments);
  },
  control: (exchange, seen) => sameRequest(exchange, seen, { role: 'primary', except: ['workspace', 'board'] }),
  expect: (exchange, _, seen) => {
    if (isProposal(exchange) || (!isBoardOf(exchange, seen) && isRefusal(exchange, refusalCodes.boardNotFound)))
      return undefined;
    return {
      expected: 'a proposal in the workspace to which the key resolves without the argument',
      ...(isSuccess(exchange) ? { actual: `workspace ${String(body(exchange).workspace)}` } : {}),
    };
  },
  hint: `Resolve the workspace of ${tool} like the tools that only read: by pin, default or only reachable one.`,
});

function isBoardOf({ request, sender }: Completed, seen: Seen): boolean {
  // If a tool names another workspace, such as a cached one, the board may be of the wrong workspace.
  if (seen.places.isContradicted(sender.role)) return false;
  return hasBoard(sender.role, seen.places.own(sender.role), request.args?.board, seen.knowledge);
}

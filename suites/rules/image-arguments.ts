import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { hasBoard } from '../history/history.ts';
import { typeHint } from './answers.ts';
import { declinedWith, hasShownCode } from './match/declined.ts';
import { fieldIs } from './match/fields.ts';
import { namesField } from './match/issues.ts';
import { describe, refuses, succeeds } from './match/responses.ts';
import { namesForeign } from './reach.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import { isProposal } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';
import { refusesField, type Violation } from './violations.ts';

const tool = 'images.generate';

/** A field of the first call that breaks the schema; what the second call lacks has a requirement of its own. */
function firstCallRefuses(id: RequirementId, field: string, ways: readonly Violation[], hint: string): Rule {
  const inner = refusesField(id, [tool], field, ways, hint);
  return {
    ...inner,
    applies: (exchange, seen) => exchange.request.args?.confirmation_id === undefined && inner.applies(exchange, seen),
  };
}

/** The same request with another board, proposed with success. */
const twinWithout =
  (...except: readonly string[]) =>
  ({ sender, request }: Completed, seen: Seen): Twin => ({
    succeeded: seen.successes.has({ role: sender.role, tool, args: request.args ?? {}, except, exact: true }),
    promisedBy: 'image-proposals.proposed',
  });

const isFirstCall = ({ request, sender }: Completed) =>
  request.tool === tool && request.args?.confirmation_id === undefined && sender.kind === 'key';

/** Whether a refusal may be for the brief, whose limits the specification does not show. */
const mayBeForBrief = (exchange: Completed) =>
  isRefusal(exchange, refusalCodes.invalidArguments) && namesField(exchange, 'brief', 'path or message') === undefined;

const boardHint = 'Look up the board only in the workspace that the request runs in.';

/** Whether a board looks like one that exists: anything else may be refused for its form. */
function hasForm(board: unknown, { knowledge }: Seen): boolean {
  return typeof board === 'string' && knowledge.boards.some((known) => known.board.length === board.length);
}

const boardUnknown = rule('image-proposals.board-unknown-refused', {
  applies: (exchange) => isFirstCall(exchange) && exchange.invented.includes('board'),
  unlessChanged: true,
  unlessHouseRule: true,
  twin: twinWithout('board'),
  expect: (exchange, seen) => {
    const code = hasForm(exchange.request.args?.board, seen) ? refusalCodes.boardNotFound : undefined;
    return refuses(exchange, code, boardHint);
  },
});

const boardElsewhere = rule('image-proposals.board-elsewhere-refused', {
  applies: (exchange, seen) => isFirstCall(exchange) && isElsewhere(exchange, seen),
  unlessChanged: true,
  unlessHouseRule: true,
  twin: twinWithout('board'),
  expect: (exchange) => refuses(exchange, refusalCodes.boardNotFound, boardHint),
});

/** A board that is known in another workspace, and not in the one that the request runs in. */
function isElsewhere(exchange: Completed, seen: Seen): boolean {
  const { board } = exchange.request.args ?? {};
  const here = seen.places.of(exchange);
  if (!seen.knowledge.workspaces.some(({ workspace }) => workspace === here)) return false;
  const places = seen.knowledge.boards.filter((each) => each.board === board).map(({ workspace }) => workspace);
  const { sender, request } = exchange;
  const mayRunElsewhere = request.args?.workspace !== undefined && seen.places.mayBePinned(sender.role);
  return here !== undefined && places.length > 0 && !places.includes(here) && !mayRunElsewhere;
}

/** Any refusal: its code is not shown. */
function refusesWorkspace(id: RequirementId, applies: Rule['applies'], hint: string): Rule {
  return rule(id, {
    applies: (exchange, seen) =>
      exchange.request.tool === tool && exchange.sender.kind === 'key' && applies(exchange, seen),
    twin: (exchange, seen) => twinWithout('workspace', 'board', 'confirmation_id')(exchange, seen),
    expect: (exchange) => refuses(exchange, undefined, hint),
  });
}

const worksInNamed = rule('image-proposals.works-in-named-workspace', {
  applies: (exchange, seen) => {
    const { board, workspace } = exchange.request.args ?? {};
    const known = hasBoard(exchange.sender.role, workspace, board, seen.knowledge);
    const away = typeof workspace === 'string' && workspace !== seen.knowledge.workspaces[0]?.workspace;
    const own = exchange.sender.role === 'primary' && !seen.places.mayBePinned('primary');
    if (!isFirstCall(exchange) || mayBeForBrief(exchange)) return false;
    return known && away && own && (isSuccess(exchange) || hasShownCode(exchange));
  },
  unlessChanged: true,
  twin: twinWithout('workspace', 'board', 'brief'),
  expect: (exchange) => {
    const hint = 'Propose in the requested workspace, and look up the board there.';
    return succeeds(exchange, hint) ?? fieldIs(exchange, 'workspace', exchange.request.args?.workspace, hint);
  },
});

const worksWithout = rule('image-proposals.works-without-argument', {
  applies: (exchange, seen) => {
    const { role } = exchange.sender;
    const resolves = role === 'pinned' || role === 'defaulted' || role === 'sole';
    const unnamed = exchange.request.args?.workspace === undefined && exchange.invented.length === 0;
    if (!seen.knowledge.complete) return false;
    if (!isFirstCall(exchange) || !resolves || !unnamed || seen.places.own(role) === undefined) return false;
    if (declinedWith(exchange) !== undefined || mayBeForBrief(exchange)) return false;
    // Where no board of that workspace is known, only that there is a workspace can be told.
    return isBoardOf(exchange, seen) || !isRefusal(exchange, refusalCodes.invalidArguments);
  },
  twin: (exchange, seen) => ({
    ...twinWithout('workspace', 'board')(exchange, seen),
    succeeded: seen.successes.has({
      role: 'primary',
      tool,
      args: exchange.request.args ?? {},
      except: ['workspace', 'board'],
    }),
  }),
  expect: (exchange, seen) => {
    if (isProposal(exchange) || (!isBoardOf(exchange, seen) && isRefusal(exchange, refusalCodes.boardNotFound)))
      return undefined;
    return {
      expected: 'a proposal in the workspace to which the key resolves without the argument',
      actual: isSuccess(exchange) ? `workspace ${String(body(exchange).workspace)}` : describe(exchange),
      hint: `Resolve the workspace of ${tool} like the tools that only read: by pin, default or sole reach.`,
      exchanges: [exchange],
    };
  },
});

function isBoardOf({ request, sender }: Completed, seen: Seen): boolean {
  return hasBoard(sender.role, seen.places.own(sender.role), request.args?.board, seen.knowledge);
}

/** Arguments of the first call, and the workspace that it runs in. */
export const imageArguments: readonly Rule[] = [
  firstCallRefuses('image-proposals.board-missing-refused', 'board', ['missing'], 'Require board.'),
  firstCallRefuses('image-proposals.brief-missing-refused', 'brief', ['missing'], 'Require brief.'),
  firstCallRefuses('image-proposals.count-missing-refused', 'count', ['missing'], 'Require count.'),
  firstCallRefuses('image-proposals.shape-missing-refused', 'shape', ['missing'], 'Require shape.'),
  firstCallRefuses(
    'image-proposals.count-fraction-refused',
    'count',
    ['fraction'],
    'Accept only whole numbers; do not round.',
  ),
  firstCallRefuses('image-proposals.count-wrong-type-refused', 'count', ['type'], typeHint),
  firstCallRefuses('image-proposals.board-wrong-type-refused', 'board', ['type'], typeHint),
  firstCallRefuses('image-proposals.brief-wrong-type-refused', 'brief', ['type'], typeHint),
  firstCallRefuses('image-proposals.shape-wrong-type-refused', 'shape', ['type'], typeHint),
  firstCallRefuses('image-proposals.workspace-empty-refused', 'workspace', ['too-short'], 'Refuse an empty slug.'),
  firstCallRefuses('image-proposals.workspace-wrong-type-refused', 'workspace', ['type'], typeHint),
  boardUnknown,
  boardElsewhere,
  refusesWorkspace(
    'image-proposals.workspace-unknown-refused',
    (exchange) => exchange.invented.includes('workspace'),
    'Refuse a workspace that does not exist; do not fall back to another one.',
  ),
  refusesWorkspace(
    'image-proposals.workspace-unreachable-refused',
    namesForeign,
    'Refuse a workspace of another account like one that does not exist.',
  ),
  worksInNamed,
  worksWithout,
];

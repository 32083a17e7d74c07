import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { readingTools, type ToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, header, isRefusal, isSuccess, type KeyName } from '../history/exchange.ts';
import { accountOf } from '../history/history.ts';
import { typeHint } from './answers.ts';
import { carries, describe, refuses } from './match/responses.ts';
import { knowsHeaders } from './match/scope.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import type { Seen } from './seen/seen.ts';
import { isValid, refusesField } from './violations.ts';

/** What a server may normalize: the specification does not say what a slug in other case or with white space means. */
const normalized = (slug: unknown) => String(slug).trim().toLowerCase();

/** A result of another workspace than the one that was named, also when both slugs are normalized. */
export function isElsewhere(exchange: Completed): boolean {
  const { workspace } = body(exchange);
  const named = exchange.request.args?.workspace;
  return workspace !== undefined && workspace !== named && normalized(workspace) !== normalized(named);
}

/** Nothing has the workspace that a request names. */
const namesUnknown = ({ invented }: Completed) => invented.includes('workspace');

/** The account of a key that was told a workspace, without naming one, which no other account has. */
function accountTold(role: KeyName | null, { knowledge, places }: Seen): string | undefined {
  const told = knowledge.workspaces.filter(({ workspace }) => places.isTold(role, workspace));
  const accounts = told.map(({ account }) => account);
  return new Set(accounts).size === 1 ? accounts[0] : undefined;
}

/**
 * The workspace that a request names is one of another account, and none of its own has that slug as far as is known.
 */
export function namesForeign({ sender, request }: Completed, seen: Seen): boolean {
  const own = accountOf(sender.role, seen.knowledge) ?? accountTold(sender.role, seen);
  const workspace = request.args?.workspace;
  if (own === undefined || typeof workspace !== 'string') return false;
  const owners = seen.knowledge.workspaces.filter((each) => each.workspace === workspace);
  const foreign = owners.length > 0 && owners.every(({ account }) => account !== own);
  return foreign && !seen.places.isTold(sender.role, workspace);
}

/** The same request in a workspace that its key reaches, which succeeded. */
export function inReach(exchange: Completed, seen: Seen): Twin {
  const { tool, args } = exchange.request;
  // An item of one workspace is none of another.
  const except = ['workspace', ...(tool === 'library.get' ? ['kind', 'id'] : [])];
  const { role } = exchange.sender;
  // A text that is refused by itself tells nothing of the workspace.
  const exact = isRefusal(exchange, refusalCodes.invalidArguments);
  return {
    succeeded: seen.successes.has({ role, tool: tool ?? '', args: args ?? {}, except, exact }),
    promisedBy: promisedBy(tool),
  };
}

/** The key stayed in its own workspace, as a pinned one may whatever the request names. */
function staysWithPin(exchange: Completed, seen: Seen): boolean {
  const { sender, request } = exchange;
  const { workspace } = body(exchange);
  return (
    isSuccess(exchange) && workspace === seen.places.own(sender.role) && seen.places.mayStay(sender.role, request.tool)
  );
}

/** These tools refuse a workspace that is out of reach for this reason. */
function refusesWorkspace(
  id: RequirementId,
  tools: readonly ToolName[],
  what: string,
  isOutOfReach: (exchange: Completed, seen: Seen) => boolean,
): Rule {
  return rule(id, {
    applies: (exchange, seen) =>
      tools.some((tool) => tool === exchange.request.tool) &&
      exchange.sender.kind === 'key' &&
      isValid(exchange) &&
      isOutOfReach(exchange, seen),
    twin: (exchange, seen) =>
      staysWithPin(exchange, seen)
        ? { succeeded: false, promisedBy: 'workspaces.argument-honoured' }
        : inReach(exchange, seen),
    expect: (exchange) =>
      refuses(exchange, undefined, `Refuse ${what}: a result would come from a workspace that was not requested.`),
  });
}

export const unknownRefused = (id: RequirementId, tools: readonly ToolName[]) =>
  refusesWorkspace(id, tools, 'a workspace that does not exist', namesUnknown);

export const unreachableRefused = (id: RequirementId, tools: readonly ToolName[]) =>
  refusesWorkspace(id, tools, "another account's workspace", namesForeign);

/** A key that reaches one workspace is served no other. */
const withinAccount = rule('workspaces.unreachable-within-account', {
  applies: (exchange, seen) => {
    const { sender, request, invented } = exchange;
    const [own, workspace] = [seen.places.own(sender.role), request.args?.workspace];
    if (sender.role !== 'sole' || sender.kind !== 'key' || own === undefined || typeof workspace !== 'string')
      return false;
    const isOther = workspace.toLowerCase() !== own.toLowerCase() && invented.length === 0;
    if (!seen.knowledge.complete) return false;
    const judgeable = isSuccess(exchange) || isRefusal(exchange);
    return isOther && judgeable && isValid(exchange) && request.args?.confirmation_id === undefined;
  },
  // A refusal tells something where the same is served to a key that reaches that workspace.
  twin: (exchange, seen) => {
    const { tool, args } = exchange.request;
    const isThere = seen.places.reaches('primary', String(args?.workspace));
    const except = tool === 'content.create_request' ? ['workspace'] : [];
    const works = seen.successes.has({ role: 'primary', tool: tool ?? '', args: args ?? {}, except });
    return { succeeded: isSuccess(exchange) || (isThere && works), promisedBy: promisedBy(tool) };
  },
  expect: (exchange) => {
    if (!isSuccess(exchange)) return undefined;
    return {
      expected: `${exchange.request.tool} to refuse a workspace that the key in the role 'sole' does not reach`,
      actual: describe(exchange),
      hint: 'Check in every tool whether the holder of the key is a member of the requested workspace.',
      exchanges: [exchange],
    };
  },
});

const toolErrorHeader = rule('headers.tool-error-on-unreachable', {
  // Where the arguments themselves are refused, either value is right.
  applies: (exchange, seen) =>
    knowsHeaders(exchange, seen) &&
    exchange.sender.kind === 'key' &&
    isRefusal(exchange) &&
    !isRefusal(exchange, refusalCodes.invalidArguments) &&
    isValid(exchange) &&
    (namesUnknown(exchange) || namesForeign(exchange, seen)),
  // The tool of a key that stays with its pin may refuse for a reason of its own.
  twin: (exchange, seen) => ({
    succeeded: isToldAtBoundary(exchange) || !seen.places.mayStay(exchange.sender.role, exchange.request.tool),
    promisedBy: 'workspaces.argument-honoured',
  }),
  expect: (exchange) =>
    carries(
      exchange,
      responseHeaders.toolError,
      'true',
      'Send true: the boundary refuses the workspace before any tool runs.',
    ),
});

const isToldAtBoundary = (exchange: Completed) => header(exchange, responseHeaders.toolError) === 'true';

/** Requests that name a workspace which their key does not reach, or none at all. */
export const outOfReach: readonly Rule[] = [
  unknownRefused('workspaces.unknown-refused', readingTools),
  unreachableRefused('workspaces.unreachable-refused', readingTools),
  withinAccount,
  toolErrorHeader,
  refusesField(
    'workspaces.empty-refused',
    readingTools,
    'workspace',
    ['too-short'],
    'Require a slug of at least 1 character: do not treat an empty one as omitted.',
  ),
  refusesField('workspaces.wrong-type-refused', readingTools, 'workspace', ['type'], typeHint),
];

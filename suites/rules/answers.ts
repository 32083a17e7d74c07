import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { isRole, servedRoles } from '../../fixtures/roles.ts';
import { body, type Completed, header, isRefusal, type KeyName } from '../history/exchange.ts';
import type { Finding } from './finding.ts';
import { succeeds } from './match/responses.ts';
import { type Rule, rule } from './rule.ts';
import type { Seen } from './seen/seen.ts';
import { isValid } from './violations.ts';

export const typeHint = 'Check the type of the argument before its value; do not convert it.';

const proposal = ['board', 'brief', 'count', 'shape'];

/** What the tools are shown to take. */
const shown: readonly string[] = ['workspace', 'query', 'kind', 'id', 'format', 'day', 'title', ...proposal];

/** No shorter than the longest title; identifiers come from the deployment. */
const mostPlain = Math.max(200, limits.title.most);

/** Words and punctuation of an everyday question. The specification does not limit a query, so a service may. */
const everydayQuery = /^[\w ,.?!'-]{0,32}$/;

/** Whether a text is one that any tool can be expected to take. */
function isPlainText(name: string, text: string): boolean {
  if (name === 'query') return everydayQuery.test(text);
  return text.length <= mostPlain && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/**
 * Arguments that fit, and nothing that is not shown: what an unknown property, or no query, means is not said.
 *
 * @param any an argument that may be any text
 */
export function isPlain(exchange: Completed, any?: string): boolean {
  const { tool, args } = exchange.request;
  if (!isValid(exchange) || args === null) return false;
  // Only the library says what an empty query means.
  const isAsked = typeof args.query === 'string' && (args.query !== '' || tool === 'library.search');
  const isQueried = !tool?.endsWith('.search') || isAsked;
  const isPlainArgument = (name: string) => name === any || isPlainText(name, String(args[name]));
  return isQueried && Object.keys(args).every((name) => shown.includes(name) && isPlainArgument(name));
}

/** A request of a tool that is fit in every respect, by a key that is served, where the key reaches. */
export function isPlainRequest(exchange: Completed, tool: ToolName, seen: Seen): boolean {
  const { sender, request, invented } = exchange;
  const { args, body: sent } = request;
  if (request.tool !== tool || sender.kind !== 'key' || args === null || sent === null || invented.length > 0)
    return false;
  if (sender.role === null || !isServed(sender.role, seen)) return false;
  if (!isPlain(exchange)) return false;
  const { workspace } = args;
  if (typeof workspace !== 'string') return resolves(sender.role, seen);
  return isConfigured(exchange, seen) || seen.places.reaches(sender.role, workspace);
}

/** Whether a key is served, by what its role proves, or by what it got before. */
export const isServed = (role: KeyName, { successes }: Seen) =>
  isRole(role) ? servedRoles.includes(role) : successes.ofRole(role);

/** Whether a key works somewhere when it names no workspace. */
const resolves = (role: KeyName, { places }: Seen) =>
  ['pinned', 'defaulted', 'sole'].includes(role) || (role !== 'ambiguous' && places.own(role) !== undefined);

/** Whether a request of `primary` names a workspace that it is known to reach. */
function isConfigured({ sender, request }: Completed, { knowledge }: Seen): boolean {
  return (
    sender.role === 'primary' &&
    knowledge.workspaces.some(({ account, workspace }) => account === 'own' && workspace === request.args?.workspace)
  );
}

/** A refusal that may be because of the workspace, which requirements on workspaces judge. */
export function isWorkspaceRefusal(exchange: Completed): boolean {
  if (!isRefusal(exchange) || isRefusal(exchange, refusalCodes.invalidArguments)) return false;
  if (exchange.response.stripped === true || body(exchange).code === refusalCodes.workspaceAmbiguous) return true;
  return header(exchange, responseHeaders.toolError) === 'true';
}

/** Where words are searched for, the service may decline some; an empty query of the library asks for no words. */
export const asksForWords = ({ request }: Completed) =>
  typeof request.args?.query === 'string' && (request.tool !== 'library.search' || request.args.query !== '');

/** A tool that reads succeeds at a plain request. */
export function answers(
  id: RequirementId,
  tool: ToolName,
  hint: string,
  more: (exchange: Completed, hint: string) => Finding | undefined = () => undefined,
  judgeable: (exchange: Completed) => boolean = () => true,
): Rule {
  return rule(id, {
    applies: (exchange, seen) =>
      judgeable(exchange) &&
      isPlainRequest(exchange, tool, seen) &&
      (isConfigured(exchange, seen) || !isWorkspaceRefusal(exchange)),
    mayDecline: asksForWords,
    unlessChanged: true,
    expect: (exchange) => succeeds(exchange, hint) ?? more(exchange, hint),
  });
}

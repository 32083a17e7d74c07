import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { isRole, type Role, servedRoles } from '../../../fixtures/roles.ts';
import { body, type Completed, header, isRefusal, type KeyName } from '../../exchange/exchange.ts';
import type { Seen } from './seen.ts';
import { isValid } from './violations.ts';

const proposal = ['board', 'brief', 'count', 'shape'];

/** All arguments that the specification shows. */
const shown: readonly string[] = ['workspace', 'query', 'kind', 'id', 'format', 'day', 'title', ...proposal];

/** At least the longest allowed title. The limit does not apply to identifiers, which come from the deployment. */
const mostPlain = Math.max(200, limits.title.most);

/**
 * Words and punctuation of an everyday question. The specification does not limit queries, so a service may limit them.
 */
const everydayQuery = /^[\w ,.?!'-]{0,32}$/;

/** Whether a text is so ordinary that every tool must accept it. */
function isPlainText(name: string, text: string): boolean {
  if (name === 'query') return everydayQuery.test(text);
  return text.length <= mostPlain && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/**
 * Whether the arguments are valid, and the specification shows each of them. It does not say what an unknown property
 * or an absent query means.
 *
 * @param any an argument whose text is not checked
 */
export function isPlain(exchange: Completed, any?: string): boolean {
  const { tool, args } = exchange.request;
  if (!isValid(exchange) || args === null) return false;
  // The specification defines an empty query for the library only.
  const isAsked = typeof args.query === 'string' && (args.query !== '' || tool === 'library.search');
  const isQueried = !tool?.endsWith('.search') || isAsked;
  const isPlainArgument = (name: string) => name === any || isPlainText(name, String(args[name]));
  return isQueried && Object.keys(args).every((name) => shown.includes(name) && isPlainArgument(name));
}

/** Whether a request is valid, from a key that is served, and in a workspace that the key reaches. */
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

/** Whether the server must serve a key, because of its role or because of an earlier success. */
export const isServed = (role: KeyName, { successes }: Seen) =>
  isRole(role) ? servedRoles.includes(role) : successes.ofRole(role);

/** Roles whose keys always resolve to a workspace without the argument. */
export const resolvingRoles: readonly Role[] = ['pinned', 'defaulted', 'sole'];

export const alwaysResolves = (role: KeyName | null) => resolvingRoles.some((resolving) => resolving === role);

/** Whether requests of a key resolve to a workspace without the argument. */
const resolves = (role: KeyName, { places }: Seen) =>
  alwaysResolves(role) || (role !== 'ambiguous' && places.own(role) !== undefined);

/** Whether a request of `primary` names a workspace of its own account. */
export function isConfigured({ sender, request }: Completed, { knowledge }: Seen): boolean {
  return (
    sender.role === 'primary' &&
    knowledge.workspaces.some(({ account, workspace }) => account === 'own' && workspace === request.args?.workspace)
  );
}

/** Whether the workspace may be the cause of a refusal. Requirements on workspaces judge these refusals. */
export function isWorkspaceRefusal(exchange: Completed): boolean {
  if (!isRefusal(exchange) || isRefusal(exchange, refusalCodes.invalidArguments)) return false;
  if (exchange.response.stripped === true || body(exchange).code === refusalCodes.workspaceAmbiguous) return true;
  return header(exchange, responseHeaders.toolError) === 'true';
}

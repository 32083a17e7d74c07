import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { body, type Completed, isRefusal, isSuccess, type KeyName } from '../../exchange/exchange.ts';
import { accountOf } from '../../exchange/history.ts';
import { refusal } from '../../model/answers.ts';
import { type Control, type Judging, promisedBy, type Rule, row, sameRequest } from '../../model/rule.ts';
import { normalizedSlug } from '../../model/world/scope.ts';
import type { Seen } from '../../model/world/seen.ts';
import { isValid } from '../../model/world/violations.ts';

/** Whether a result comes from a workspace other than the named one. Compares normalized slugs. */
export function isElsewhere(exchange: Completed): boolean {
  const { workspace } = body(exchange);
  const named = exchange.request.args?.workspace;
  return workspace !== undefined && workspace !== named && normalizedSlug(workspace) !== normalizedSlug(named);
}

/** Whether the kit invented the named workspace. */
export const namesUnknown = ({ invented }: Completed) => invented.includes('workspace');

/** Returns the account of a key that resolves to a workspace which only one account has. */
function accountTold(role: KeyName | null, { knowledge, places }: Seen): string | undefined {
  const owners = knowledge.workspaces.filter(({ workspace }) => places.isTold(role, workspace));
  const accounts = owners.map(({ account }) => account);
  return new Set(accounts).size === 1 ? accounts[0] : undefined;
}

/** Whether a request names a slug that is known in other accounts only. */
export function namesForeign({ sender, request }: Completed, seen: Seen): boolean {
  const own = accountOf(sender.role, seen.knowledge) ?? accountTold(sender.role, seen);
  const workspace = request.args?.workspace;
  if (own === undefined || typeof workspace !== 'string') return false;
  const owners = seen.knowledge.workspaces.filter((entry) => entry.workspace === workspace);
  const foreign = owners.length > 0 && owners.every(({ account }) => account !== own);
  return foreign && !seen.places.isTold(sender.role, workspace);
}

/** Arguments that name something of one workspace, which does not exist in another one. */
const ofWorkspace: Readonly<Record<string, readonly string[]>> = {
  'library.get': ['kind', 'id'],
  'images.generate': ['board', 'confirmation_id'],
};

/** Control: the request in an accessible workspace, which succeeded. */
export function inReach(exchange: Completed, seen: Seen): Control {
  const except = ['workspace', ...(ofWorkspace[exchange.request.tool ?? ''] ?? [])];
  // The server may refuse the text itself, so the control must have the same text.
  const texts = isRefusal(exchange, refusalCodes.invalidArguments) ? 'same' : 'any';
  return sameRequest(exchange, seen, { except, texts });
}

/** Control: the tool has worked in a workspace that a request named. */
export const hasWorked = (exchange: Completed, seen: Seen): Control =>
  isSuccess(exchange) || seen.places.worksNamed(exchange.request.tool) || promisedBy(exchange.request.tool);

/** Whether the key stayed in its own workspace, which is correct for a pinned key. */
function staysWithPin(exchange: Completed, seen: Seen): boolean {
  const { sender, request } = exchange;
  const { workspace } = body(exchange);
  return (
    isSuccess(exchange) && workspace === seen.places.own(sender.role) && seen.places.mayStay(sender.role, request.tool)
  );
}

/** These tools refuse a workspace that is inaccessible for this reason. */
const refusesWorkspace = (
  tools: readonly ToolName[],
  what: string,
  isOutOfReach: (exchange: Completed, seen: Seen) => boolean,
) =>
  ({
    applies: (exchange, seen) =>
      tools.some((tool) => tool === exchange.request.tool) &&
      exchange.sender.kind === 'key' &&
      isValid(exchange) &&
      isOutOfReach(exchange, seen),
    control: (exchange, seen) =>
      staysWithPin(exchange, seen) ? 'workspaces.argument-honoured' : inReach(exchange, seen),
    answers: [refusal()],
    hint: `Refuse ${what}: a result would come from a workspace that was not requested.`,
  }) satisfies Judging;

/** These tools refuse a workspace that does not exist, and the workspace of another account. */
export function refusesInaccessible(
  topic: 'workspaces' | 'content-requests' | 'image-proposals',
  ...tools: readonly ToolName[]
): Rule[] {
  const prefix = topic === 'workspaces' ? (`${topic}.` as const) : (`${topic}.workspace-` as const);
  const [where, source] =
    tools.length === 1 ? ['', ''] : [', on every tool that only reads', '; What the service does, rule 2'];
  return [
    row(`${prefix}unknown-refused`, {
      must: `The server MUST refuse a workspace that does not exist${where}.`,
      source: `Authentication, ${tools.length === 1 ? '6' : '3 and 6'}${source}`,
      ...refusesWorkspace(tools, 'a workspace that does not exist', namesUnknown),
    }),
    row(`${prefix}unreachable-refused`, {
      must: `The server MUST refuse the workspace of another account${where}.`,
      source: `Authentication, 3 and 6${source}`,
      severity: 'data-isolation',
      ...refusesWorkspace(tools, "another account's workspace", namesForeign),
    }),
  ];
}

import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { sameRequest } from '../../expectations/promises.ts';
import { body, type Completed, isRefusal, isSuccess } from '../../history/exchange.ts';
import { hasBoard } from '../../history/history.ts';
import { row } from '../../model/row.ts';
import { declinedWith } from '../../situations/declined.ts';
import { isProposal } from '../../situations/ids.ts';
import { alwaysResolves, resolvingRoles } from '../../situations/plain.ts';
import type { Seen } from '../../situations/seen.ts';
import { without } from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';
import { isFirstCall, mayBeForBrief, needs, tool } from './first-call.ts';

const worksWithout = row('image-proposals.works-without-argument', {
  must:
    'The server MUST accept a proposal without `workspace` if a pin or a default selects a workspace, or ' +
    'only one workspace is reachable.',
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
  twin: (exchange, seen) => sameRequest(exchange, seen, { role: 'primary', except: ['workspace', 'board'] }),
  expect: (exchange, seen) => {
    if (isProposal(exchange) || (!isBoardOf(exchange, seen) && isRefusal(exchange, refusalCodes.boardNotFound)))
      return undefined;
    return {
      expected: 'a proposal in the workspace to which the key resolves without the argument',
      ...(isSuccess(exchange) ? { actual: `workspace ${String(body(exchange).workspace)}` } : {}),
      hint:
        `Resolve the workspace of ${tool} like the tools that only read: by pin, stored default or only ` +
        'reachable workspace.',
    };
  },
});

function isBoardOf({ request, sender }: Completed, seen: Seen): boolean {
  // If a tool names another workspace, such as a cached one, the board may be of the wrong workspace.
  if (seen.places.isContradicted(sender.role)) return false;
  return hasBoard(sender.role, seen.places.own(sender.role), request.args?.board, seen.knowledge);
}

export const unnamedProposals = story('proposals without a workspace', {
  needs,
  steps: async (t) => {
    const roles = t.present(resolvingRoles);
    if (roles.length === 0)
      t.cannot('no key that resolves to a workspace without the argument', { kind: 'role', role: 'sole' });
    for (const as of roles) {
      const own = await t.send(`read in the default workspace of ${as}`, { tool: 'schedule.read', args: {}, as });
      await t.send(`read with another tool as ${as}`, { tool: 'connections.status', args: {}, as });
      const its = boardOf(t, isSuccess(own) ? (own.response.json as Args).workspace : undefined);
      const args = { ...without(t.proposal(), 'workspace'), ...(its === undefined ? {} : { board: its }) };
      await t.send(`propose as ${as} without naming the workspace`, { tool, args, as });
    }
  },
  requirements: [worksWithout],
});

/** Returns the configured board of a workspace. */
function boardOf({ deployment: known }: Steps, workspace: unknown): string | undefined {
  if (workspace === known.workspace) return known.board;
  return workspace === known.otherWorkspace ? known.otherBoard : undefined;
}

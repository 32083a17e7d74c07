import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type ToolName, tools, type WorkspaceScopedTool, workspaceScopedTools } from '../../fixtures/contract/tools.ts';
import { type RequirementId, requirementId } from '../../fixtures/requirements/index.ts';
import { isRole } from '../../fixtures/roles.ts';
import { body, type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { brief } from '../json.ts';
import { isPlain } from './answers.ts';
import { describe, refuses } from './match/responses.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule } from './rule.ts';
import { type Listing, slugsIn } from './seen/choices.ts';

const hint =
  'Refuse and list the workspaces if no argument, pin or default chooses one. Do not pick one, and do not reuse the ' +
  'choice of an earlier request.';

/** A key that reaches several workspaces, and a request of a tool where nothing chooses one of them. */
function choosesNothing({ sender, request, response }: Completed, tool: ToolName): boolean {
  const { args, body: sent } = request;
  const isUnchosen = args?.workspace === undefined && args?.confirmation_id === undefined;
  // That the body may be left out, and that the key is served, is promised by other requirements.
  const isServed = response.status !== 401 && response.status !== 403 && (response.status !== 400 || sent !== null);
  return sender.role === 'ambiguous' && sender.kind === 'key' && request.tool === tool && isUnchosen && isServed;
}

const isUnfit = (exchange: Completed) => isRefusal(exchange, refusalCodes.invalidArguments);

function ambiguous(id: RequirementId, tool: WorkspaceScopedTool): Rule {
  // An item of one workspace is none of another.
  const except = ['workspace', ...(tool === 'library.get' ? ['kind', 'id'] : [])];
  return rule(id, {
    applies: (exchange) =>
      choosesNothing(exchange, tool) &&
      // A server may want long briefs.
      isPlain(exchange, 'brief') &&
      // Its arguments are not shown: it may require one.
      !(tool === 'content.status' && isUnfit(exchange)),
    twin: (exchange, seen) => ({
      succeeded: (['ambiguous', 'primary'] as const).some((role) =>
        // Which is looked at first is not said: a text that is refused by itself tells nothing of the workspace.
        seen.successes.has({ role, tool, args: exchange.request.args ?? {}, except, exact: isUnfit(exchange) }),
      ),
      promisedBy: promisedBy(tool),
    }),
    expect: (exchange) => refuses(exchange, refusalCodes.workspaceAmbiguous, hint),
  });
}

/** Workspaces that were listed to a key, for this reason, can be named by it. */
function choicesWork(id: RequirementId, listing: Listing): Rule {
  return rule(id, {
    applies: (exchange, seen) => {
      const { sender, request } = exchange;
      const isRead = request.tool === 'schedule.read' || request.tool === 'connections.status';
      // What a pinned key does with an argument is not shown.
      const isPinned = isRole(String(sender.role)) ? sender.role === 'pinned' : seen.places.mayBePinned(sender.role);
      const mayName = sender.kind === 'key' && !isPinned && isPlain(exchange);
      return isRead && mayName && seen.choices.listedBefore(exchange, listing) !== undefined;
    },
    unlessChanged: true,
    twin: (exchange, seen) => {
      const { tool } = exchange.request;
      return { succeeded: isSuccess(exchange) || seen.places.worksNamed(tool), promisedBy: promisedBy(tool) };
    },
    expect: (exchange, seen) => {
      const refusal = seen.choices.listedBefore(exchange, listing);
      if (refusal === undefined || isSuccess(exchange)) return undefined;
      const slug = brief(exchange.request.args?.workspace);
      return {
        expected: `${slug}, which ${refusal.request.tool} lists, to work when the same key names it`,
        actual: describe(exchange),
        hint: 'List only the slugs of workspaces that this key reaches.',
        exchanges: [refusal, exchange],
      };
    },
  });
}

/** What is answered where nothing chooses a workspace, and what is listed then. */
export const choices: readonly Rule[] = [
  ...workspaceScopedTools.map((tool) => ambiguous(requirementId(`workspaces.ambiguous-${tools[tool].slug}`), tool)),
  rule('workspaces.ambiguous-lists-choices', {
    applies: (exchange) =>
      isRefusal(exchange, refusalCodes.workspaceAmbiguous) &&
      exchange.request.args?.workspace === undefined &&
      (['ambiguous', 'primary', null].includes(exchange.sender.role) || !isRole(String(exchange.sender.role))),
    expect: (exchange) => {
      if (new Set(slugsIn(exchange)).size >= 2) return undefined;
      return {
        expected: `${exchange.request.tool}: workspaces to list at least two distinct slugs`,
        actual: `workspaces ${brief(body(exchange).workspaces)}`,
        hint: 'List the workspaces that the key reaches, each once, with every tool: a person chooses one of them.',
        exchanges: [exchange],
      };
    },
  }),
  choicesWork('workspaces.ambiguous-choices-work', 'ambiguous'),
  choicesWork('workspaces.unreachable-lists-passable', 'unreachable'),
];

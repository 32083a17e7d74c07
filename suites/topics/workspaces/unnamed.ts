import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type ToolName, tools, type WorkspaceScopedTool } from '../../../fixtures/contract/tools.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { isPlain } from '../../expectations/answers.ts';
import { promisedBy } from '../../expectations/promises.ts';
import { refuses } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { type Completed, isKeyRefused, isRefusal } from '../../history/exchange.ts';
import { slugsIn } from '../../situations/choices.ts';
import type { Steps } from '../steps.ts';

const hint =
  'Refuse and list the workspaces if no argument, pin or default selects one. Do not pick one, and do not reuse the ' +
  'choice of an earlier request.';

/** Whether a request leaves the choice between several accessible workspaces open. */
function choosesNothing(exchange: Completed, tool: ToolName): boolean {
  const { sender, request, response } = exchange;
  const { args, body: sent } = request;
  const isUnchosen = args?.workspace === undefined && args?.confirmation_id === undefined;
  // Other requirements guarantee that the body is optional and that the key is served.
  const isServed = !isKeyRefused(exchange) && (response.status !== 400 || sent !== null);
  return sender.role === 'ambiguous' && sender.kind === 'key' && request.tool === tool && isUnchosen && isServed;
}

const isUnfit = (exchange: Completed) => isRefusal(exchange, refusalCodes.invalidArguments);

/** Builds the rule that a tool refuses to choose one of several workspaces. */
export function refusesUnchosen(tool: WorkspaceScopedTool): Rule {
  const unchosen = 'if several workspaces are reachable and none is chosen';
  const requirement = must(
    `workspaces.ambiguous-${tools[tool].slug}`,
    `The server MUST refuse \`${tool}\` with ${quoted.workspaceAmbiguous} ${unchosen}.`,
    `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
    tools[tool].effect === undefined ? 'contract' : 'data-isolation',
  );
  // An item of one workspace does not exist in another one.
  const except = ['workspace', ...(tool === 'library.get' ? ['kind', 'id'] : [])];
  return rule(requirement, {
    applies: (exchange) =>
      choosesNothing(exchange, tool) &&
      // A server may require longer briefs.
      isPlain(exchange, 'brief'),
    unlessDeclinedElsewhere: true,
    twin: (exchange, seen) => ({
      succeeded: (['ambiguous', 'primary'] as const).some((role) =>
        // The specification does not define the order of checks. The server may refuse the text itself, so the twin
        // must have the same text.
        seen.successes.has({
          role,
          tool,
          args: exchange.request.args ?? {},
          except,
          texts: isUnfit(exchange) ? 'same' : 'any',
        }),
      ),
      promisedBy: promisedBy(tool),
    }),
    expect: (exchange) => refuses(exchange, refusalCodes.workspaceAmbiguous, hint),
  });
}

export const as = 'ambiguous';

/** Sends a request without a workspace. */
export const unnamed = (t: Steps, step: string): Promise<Completed> =>
  t.send(step, { tool: 'schedule.read', args: {}, as });

/** Returns a workspace that the key can choose: the first listed one, or the default of the run. */
export function chosen(t: Steps, refusal: Completed): string {
  const reason = 'no workspace is known that this key reaches';
  return slugsIn(refusal)[0] ?? t.deployment.workspace ?? t.cannot(reason);
}

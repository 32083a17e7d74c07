import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type ToolName, tools, type WorkspaceScopedTool } from '../../../fixtures/contract/tools.ts';
import { sameRequest } from '../../expectations/promises.ts';
import type { Rule } from '../../expectations/rule.ts';
import { type Completed, isKeyRefused, isRefusal } from '../../history/exchange.ts';
import { refusal } from '../../model/answers.ts';
import { row } from '../../model/row.ts';
import { slugsIn } from '../../situations/choices.ts';
import { isPlain } from '../../situations/plain.ts';
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

/** A tool refuses to choose one of several workspaces. */
export function refusesUnchosen(tool: WorkspaceScopedTool): Rule {
  const unchosen = 'if several workspaces are reachable and none is chosen';
  // An item of one workspace does not exist in another one.
  const except = ['workspace', ...(tool === 'library.get' ? ['kind', 'id'] : [])];
  return row(`workspaces.ambiguous-${tools[tool].slug}`, {
    must: `The server MUST refuse \`${tool}\` with ${quoted.workspaceAmbiguous} ${unchosen}.`,
    source: `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
    severity: tools[tool].effect === undefined ? 'contract' : 'data-isolation',
    // A server may require longer briefs.
    applies: (exchange) => choosesNothing(exchange, tool) && isPlain(exchange, 'brief'),
    // The specification does not define the order of checks. The server may refuse the text itself, so the twin must
    // have the same text.
    twin: (exchange, seen) => {
      const texts = isUnfit(exchange) ? 'same' : 'any';
      const own = sameRequest(exchange, seen, { except, texts });
      const ofPrimary = sameRequest(exchange, seen, { role: 'primary', except, texts });
      return own.succeeded ? own : ofPrimary;
    },
    answers: [refusal(refusalCodes.workspaceAmbiguous)],
    hint,
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

import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import {
  isWorkspaceScoped,
  readingTools,
  type ToolName,
  tools,
  toolsWithoutBody,
  type WorkspaceScopedTool,
} from '../../../fixtures/contract/tools.ts';
import { isRole, type Role } from '../../../fixtures/roles.ts';
import { type Completed, isKeyRefused, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { holds, refusal } from '../../model/answers.ts';
import { type Judging, type Rule, row, sameRequest } from '../../model/rule.ts';
import { isDispatch } from '../../model/world/ids.ts';
import { type Listing, slugsIn } from '../../model/world/places.ts';
import { isPlain } from '../../model/world/plain.ts';
import { readAll } from '../requests/library.ts';
import { without } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { namingOnTheSide } from './named-workspaces.ts';
import { hasWorked } from './reach.ts';

/** Most slugs of one refusal to try. */
const mostChoices = 10;

/** Names each workspace that the refusals list, once, with the key of the refusal. */
export async function nameListed(t: Steps, refusals: readonly Completed[], as: Role): Promise<void> {
  for (const workspace of new Set(refusals.flatMap((refusal) => slugsIn(refusal).slice(0, mostChoices)))) {
    const asked = { tool: 'schedule.read', args: { workspace }, as };
    // Each tool lists the same workspaces to this key. `primary` may have named one before the first refusal.
    if (as === 'ambiguous') await t.sendOnce('request a listed workspace', asked);
    else await t.send('request a listed workspace', asked);
  }
}

/** A key can name the workspaces that a refusal of this kind listed to it. */
export function choicesWork(listing: Listing): Judging<Completed> {
  return {
    applies: (exchange, seen) => {
      const { sender, request } = exchange;
      const isRead = request.tool === 'schedule.read' || request.tool === 'connections.status';
      // The specification does not define the `workspace` argument for pinned keys.
      const isPinned = isRole(String(sender.role)) ? sender.role === 'pinned' : seen.places.mayBePinned(sender.role);
      const mayName = sender.kind === 'key' && !isPinned && isPlain(exchange);
      return isRead && mayName && seen.places.listedBefore(exchange, listing);
    },
    control: hasWorked,
    expect: (exchange, refusal) => {
      if (isSuccess(exchange)) return undefined;
      const slug = brief(exchange.request.args?.workspace);
      return {
        expected: `${slug}, which ${refusal.request.tool} lists, to work when the same key names it`,
        exchanges: [refusal, exchange],
      };
    },
    hint: 'List only the slugs of workspaces that this key reaches.',
  };
}

/** Whether a request leaves the choice between several accessible workspaces open. */
function choosesNothing(exchange: Completed, tool: ToolName): boolean {
  const { sender, request, response } = exchange;
  const { args, body: sent } = request;
  // A server may refuse the confirmation ID first.
  const isUnchosen = args?.workspace === undefined && (args?.confirmation_id === undefined || isDispatch(exchange));
  // Other requirements guarantee that the body is optional and that the key is served.
  const isServed = !isKeyRefused(exchange) && (response.status !== 400 || sent !== null);
  return sender.role === 'ambiguous' && sender.kind === 'key' && request.tool === tool && isUnchosen && isServed;
}

/** A tool refuses to choose one of several workspaces. */
export function refusesUnchosen(tool: WorkspaceScopedTool): Rule {
  const unchosen = 'if several workspaces are reachable and none is chosen';
  // An item of one workspace does not exist in another one.
  const except = ['workspace', 'confirmation_id', ...(tool === 'library.get' ? ['kind', 'id'] : [])];
  return row(`workspaces.ambiguous-${tools[tool].slug}`, {
    must: `The server MUST refuse \`${tool}\` with ${quoted.workspaceAmbiguous} ${unchosen}.`,
    source: `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
    severity: tools[tool].effect === undefined ? 'contract' : 'data-isolation',
    // A server may require longer briefs.
    applies: (exchange) => choosesNothing(exchange, tool) && (isPlain(exchange, 'brief') || isDispatch(exchange)),
    // The specification does not define the order of checks. The server may refuse the text itself, so the control must
    // have the same text.
    control: (exchange, seen) => {
      const texts = isRefusal(exchange, refusalCodes.invalidArguments) ? 'same' : 'any';
      const own = sameRequest(exchange, seen, { except, texts });
      return own === true || sameRequest(exchange, seen, { role: 'primary', except, texts });
    },
    answers: [refusal(refusalCodes.workspaceAmbiguous)],
    hint:
      'Refuse and list the workspaces if no argument, pin or default selects one. Do not pick one, and do not reuse ' +
      'the choice of an earlier request.',
  });
}

const as = 'ambiguous';

const unnamed = { tool: 'schedule.read', args: {}, as } as const;

/** Sends requests without a workspace with a key that reaches several, also after requests that name one. */
export const ambiguousReadings = story('ambiguous readings', {
  needs: { roles: [as] },
  steps: async (t) => {
    const first = await t.send('read the schedule', unnamed);
    const reason = 'no workspace is known that this key reaches';
    const workspace = slugsIn(first)[0] ?? t.deployment.workspace ?? t.cannot(reason);
    const readings = await readAll(t, 'request a workspace', { workspace }, as);
    const refusals = [first];
    for (const { asked } of readings.filter((each) => each.asked.tool !== 'schedule.read'))
      refusals.push(await t.send('omit the workspace', { ...asked, args: without(asked.args, 'workspace') }));
    for (const tool of toolsWithoutBody.filter(isWorkspaceScoped)) await t.send('send no body', { tool, as });
    const beside = { ...namingOnTheSide(workspace), ...unnamed };
    await t.send('request a workspace in headers and in the query', beside);
    // Shows that the tool works, in case a listed slug does not.
    if (t.has('primary')) await t.sendOnce('read as primary', { tool: 'schedule.read', args: t.here() });
    await nameListed(t, refusals, as);
    await t.send('read the schedule again', unnamed);
    if (refusals.every((refusal) => slugsIn(refusal).length === 0))
      t.cannot('no refusal of a request without a workspace lists workspaces');
  },
  requirements: [
    ...readingTools.map(refusesUnchosen),
    row('workspaces.ambiguous-lists-choices', {
      must: `The server MUST list at least two distinct slugs in \`workspaces\` of ${quoted.workspaceAmbiguous}.`,
      source: `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
      applies: (exchange) =>
        isRefusal(exchange, refusalCodes.workspaceAmbiguous) &&
        exchange.request.args?.workspace === undefined &&
        (['ambiguous', 'primary', null].includes(exchange.sender.role) || !isRole(String(exchange.sender.role))),
      answers: (exchange) => {
        const distinct = new Set(slugsIn(exchange)).size;
        return [holds('workspaces', 'to list at least two distinct slugs', () => distinct >= 2)];
      },
      hint: 'List each workspace that the key reaches once, for every tool: a person chooses one of them.',
    }),
    row('workspaces.ambiguous-choices-work', {
      must: `The server MUST accept, from the same key, every slug that ${quoted.workspaceAmbiguous} lists.`,
      source: `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
      ...choicesWork('ambiguous'),
    }),
  ],
  alsoTests: ['envelopes.refusal-workspaces', 'headers.tool-error-on-ambiguous'],
});

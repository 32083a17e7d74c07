import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { readingTools } from '../../../fixtures/contract/tools.ts';
import { type Completed, header, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { row } from '../../model/row.ts';
import { promisedBy, sameRequest } from '../../model/rule.ts';
import { slugsIn } from '../../model/world/places.ts';
import { knowsHeaders, normalizedSlug } from '../../model/world/scope.ts';
import { isValid } from '../../model/world/violations.ts';
import { elsewhere, type Reading, readAll } from '../requests/library.ts';
import { isUsual, keysInTurn, resembling } from '../requests/mutations.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { choicesWork, nameListed } from './ambiguous.ts';
import { namesForeign, namesUnknown, refusesInaccessible } from './reach.ts';

const toolErrorHeader = row('headers.tool-error-on-unreachable', {
  must: `The server MUST send \`${responseHeaders.toolError}: true\` when it refuses an unreachable workspace.`,
  source: `Response headers, ${responseHeaders.toolError}`,
  // If the server refuses the arguments, both values are correct.
  applies: (exchange, seen) =>
    knowsHeaders(exchange, seen) &&
    exchange.sender.kind === 'key' &&
    isRefusal(exchange) &&
    !isRefusal(exchange, refusalCodes.invalidArguments) &&
    isValid(exchange) &&
    (namesUnknown(exchange) || namesForeign(exchange, seen)),
  // If a pinned key stays in its workspace, the tool may refuse for another reason.
  twin: (exchange, seen) =>
    isToldAtBoundary(exchange) ||
    !seen.places.mayStay(exchange.sender.role, exchange.request.tool) ||
    'workspaces.argument-honoured',
  answers: [{ at: { header: responseHeaders.toolError }, want: { oneOf: ['true'] } }],
  hint: 'Send true: the boundary refuses the workspace before any tool runs.',
});

const isToldAtBoundary = (exchange: Completed) => header(exchange, responseHeaders.toolError) === 'true';

/** By tool: a slug that equals an inherited member of objects, or is white space. */
const oddSlugs: Readonly<Record<string, string>> = {
  'content.status': 'toString',
  'library.search': 'constructor',
  'knowledge.search': '__proto__',
  'connections.status': ' ',
};

/** Returns a function that gives a slug of no workspace for each tool. */
export function nameUnknown(t: Steps): (reading: Reading) => string {
  const { workspace, otherWorkspace, otherAccountWorkspace } = t.deployment;
  const known = [workspace, otherWorkspace, otherAccountWorkspace];
  return ({ asked }) => {
    const odd = oddSlugs[asked.tool];
    return odd === undefined || known.includes(odd) ? t.unknownWorkspace() : odd;
  };
}

export const wrongWorkspaces = story('inaccessible workspaces', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    const { otherWorkspace } = t.deployment;
    if (otherWorkspace !== undefined) {
      await t.send('read in the other workspace', { tool: 'schedule.read', args: { workspace: otherWorkspace } });
    }
    const refusals: Completed[] = [];
    for (const asked of elsewhere(readings, nameUnknown(t)))
      refusals.push(await t.send('request a workspace that does not exist', { ...asked, invented: ['workspace'] }));
    await nameListed(t, refusals, 'primary');
    await t.part(async () => {
      if (refusals.every((refusal) => slugsIn(refusal).length === 0))
        t.cannot('no refusal of an unreachable workspace lists workspaces');
    });
    const theirs = t.setting('otherAccountWorkspace');
    for (const asked of elsewhere(readings, () => theirs)) {
      await t.send("request another account's workspace", { ...asked });
    }
    if (!t.has('otherAccount') || t.deployment.workspace === undefined) return;
    const own = { tool: 'schedule.read', args: { workspace: theirs }, as: 'otherAccount' as const };
    await t.send('read as the other account', own);
    const here = { workspace: t.deployment.workspace };
    await t.send("name this account's workspace as the other account", { ...own, args: here });
  },
  requirements: [
    ...refusesInaccessible('workspaces.', ...readingTools),
    row('workspaces.unreachable-lists-passable', {
      must: 'The server MUST list only slugs of reachable workspaces when it refuses an unreachable one.',
      source: 'Error envelopes, tool refusal, workspaces',
      severity: 'data-isolation',
      ...choicesWork('unreachable'),
    }),
    toolErrorHeader,
  ],
});

export const lenientWorkspaces = story('workspaces that lenient look-ups find', {
  steps: async (t) => {
    const { workspace, otherWorkspace, otherAccountWorkspace } = t.deployment;
    if (workspace === undefined) return;
    const readings = (await readAll(t, 'read', t.here(), { once: true })).filter(({ exchange }) => isSuccess(exchange));
    const first = t.turn('tools of similar slugs');
    const keyOf = keysInTurn(t);
    const known = [workspace, otherWorkspace, otherAccountWorkspace];
    // Observing stories cover white space and case.
    const others = ['*', '%', ...resembling(t, 'slugs', workspace)].filter(
      (slug) => normalizedSlug(slug) !== normalizedSlug(workspace) && !known.includes(slug),
    );
    for (const [index, slug] of others.entries()) {
      const reading = readings[(first + index) % readings.length];
      if (reading === undefined) continue;
      const { tool, args } = reading.asked;
      const as = keyOf(index, tool);
      const asked = { tool, args: { ...args, workspace: slug }, as, invented: isUsual(slug) ? [] : ['workspace'] };
      await t.send('request a similar slug', asked);
    }
  },
  alsoTests: ['workspaces.unknown-refused'],
});

export const withinAccount = row('workspaces.unreachable-within-account', {
  must: 'If a key reaches only one workspace, the server MUST refuse every other workspace.',
  source: 'Authentication, 3 and 6; What the service does, rule 2',
  severity: 'data-isolation',
  applies: (exchange, seen) => {
    const { sender, request, invented } = exchange;
    const [own, workspace] = [seen.places.own(sender.role), request.args?.workspace];
    if (sender.role !== 'sole' || sender.kind !== 'key' || own === undefined || typeof workspace !== 'string')
      return false;
    const isOther = workspace.toLowerCase() !== own.toLowerCase() && !seen.places.isTold(sender.role, workspace);
    if (!seen.knowledge.complete) return false;
    const judgeable = invented.length === 0 && (isSuccess(exchange) || isRefusal(exchange));
    return isOther && judgeable && isValid(exchange) && request.args?.confirmation_id === undefined;
  },
  // The twin is the same request with a key that reaches the workspace.
  twin: (exchange, seen) => {
    const { tool, args } = exchange.request;
    const isThere = seen.places.reaches('primary', String(args?.workspace));
    const except = tool === 'content.create_request' ? ['workspace'] : [];
    if (isSuccess(exchange)) return true;
    return isThere ? sameRequest(exchange, seen, { role: 'primary', except }) : promisedBy(tool);
  },
  expect: (exchange) => {
    if (!isSuccess(exchange)) return undefined;
    return {
      expected: `${exchange.request.tool} to refuse a workspace that the key in the role 'sole' does not reach`,
      hint: 'Check in every tool whether the holder of the key is a member of the requested workspace.',
    };
  },
});

import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { readingTools } from '../../../fixtures/contract/tools.ts';
import { type Completed, header, isRefusal } from '../../history/exchange.ts';
import { row } from '../../model/row.ts';
import { knowsHeaders } from '../../situations/scope.ts';
import { isValid } from '../../situations/violations.ts';
import { elsewhere, type Reading, readAll } from '../requests/read-all.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { namesForeign, namesUnknown, refusesForeign, refusesUnknown } from './reach.ts';

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
  twin: (exchange, seen) => ({
    succeeded: isToldAtBoundary(exchange) || !seen.places.mayStay(exchange.sender.role, exchange.request.tool),
    promisedBy: 'workspaces.argument-honoured',
  }),
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
    return odd === undefined || known.includes(odd) ? `tck-${t.text('unknown workspace')}` : odd;
  };
}

export const wrongWorkspaces = story('inaccessible workspaces', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    // Lenient servers often accept a list with one slug, or treat a falsy value as omitted.
    const listed = ['schedule.read', 'library.search', 'library.get'];
    const wrong = ({ asked }: Reading) => (listed.includes(asked.tool) ? [asked.args.workspace ?? 'main'] : 0);
    for (const asked of elsewhere(readings, () => '')) await t.send('request an empty workspace', asked);
    for (const asked of elsewhere(readings, wrong)) await t.send('request a workspace that is not a string', asked);
    const { otherWorkspace } = t.deployment;
    if (otherWorkspace !== undefined) {
      await t.send('read in the other workspace', { tool: 'schedule.read', args: { workspace: otherWorkspace } });
    }
    for (const asked of elsewhere(readings, nameUnknown(t))) {
      await t.send('request a workspace that does not exist', { ...asked, invented: ['workspace'] });
    }
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
    row('workspaces.unknown-refused', {
      must: 'The server MUST refuse a workspace that does not exist, on every tool that only reads.',
      source: 'Authentication, 3 and 6; What the service does, rule 2',
      ...refusesUnknown(...readingTools),
    }),
    row('workspaces.unreachable-refused', {
      must: 'The server MUST refuse the workspace of another account, on every tool that only reads.',
      source: 'Authentication, 3 and 6; What the service does, rule 2',
      severity: 'data-isolation',
      ...refusesForeign(...readingTools),
    }),
    toolErrorHeader,
  ],
  alsoTests: ['workspaces.empty-refused', 'workspaces.wrong-type-refused'],
});

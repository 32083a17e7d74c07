import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { refuses } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';

/** A refusal of a workspace out of reach: any code, the boundary's header; or `invalid_arguments`. */
export function refusesWorkspace(exchange: Answered, what: string): Finding | undefined {
  const hint = `${exchange.request.tool} must refuse ${what}: a result would be about a workspace that nobody asked for`;
  return refuses(exchange, undefined, hint);
}

/** A call that is good but for its workspace, which its key cannot reach. */
export function callOutOfReach(
  t: Context,
  tool: ToolName,
  args: Args,
  workspace: string,
  as: Role = 'primary',
): Promise<Answered> {
  return t.call(tool, { ...args, workspace }, { as, outOfReach: true });
}

/** Keys to name a wrong workspace with: the usual one, and one that has a workspace of its own to fall back to. */
export function fallible(t: Context): Role[] {
  const own = (['defaulted', 'sole'] as const).find((role) => t.has(role));
  return own === undefined ? ['primary'] : ['primary', own];
}

/** Tools on which the slug that no workspace has is the name of a member that every object has, or nearly nothing. */
const oddSlugs: Partial<Readonly<Record<ToolName, string>>> = {
  'content.status': 'toString',
  'library.search': 'constructor',
  'knowledge.search': '__proto__',
  'connections.status': ' ',
};

/** A slug that no workspace has. */
export const unknownWorkspace = (t: Context) => `tck-${t.text('unknown workspace')}`;

/** Same, one for each tool: an odd one where no workspace is known to have just that. */
export async function nobodysWorkspace(t: Context, tool: ToolName): Promise<string> {
  const odd = oddSlugs[tool];
  return odd === undefined || (await knownSlugs(t)).has(odd) ? unknownWorkspace(t) : odd;
}

/** Slugs that are configured, and those that the keys are told when they name none. */
function knownSlugs(t: Context): Promise<Set<unknown>> {
  return t.once('known slugs', async () => {
    const { workspace, otherWorkspace, otherAccountWorkspace } = t.ground;
    const roles = (['primary', 'ambiguous', 'defaulted', 'pinned', 'sole'] as const).filter((role) => t.has(role));
    const told = await Promise.all(roles.map((as) => t.call('schedule.read', {}, { as })));
    const listed = told.map(body).flatMap(({ workspace: own, workspaces: list }) => [own, ...[list].flat()]);
    return new Set([workspace, otherWorkspace, otherAccountWorkspace, ...listed]);
  });
}

/** Slugs that `primary` cannot reach: one that does not exist, and one of another account where it is known. */
export async function slugsOutOfReach(t: Context, tool: ToolName): Promise<string[]> {
  const { workspace, otherWorkspace, otherAccountWorkspace: theirs } = t.ground;
  const shared = theirs === workspace || theirs === otherWorkspace;
  return [await nobodysWorkspace(t, tool), ...(theirs === undefined || shared ? [] : [theirs])];
}

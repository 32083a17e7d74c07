import type { Role } from '../../../fixtures/roles.ts';
import { body, isSuccess } from '../../exchange/exchange.ts';
import type { Steps } from '../steps.ts';

/** A workspace, and a board in it if one is known. */
export interface Place {
  readonly workspace: string;
  readonly board: string | undefined;
}

/** Returns the place of the run, the other one of its account, and one of the other account, as far as configured. */
export function places({ deployment }: Steps) {
  const place = (workspace: string | undefined, board: string | undefined): Place | undefined =>
    workspace === undefined ? undefined : { workspace, board };
  return {
    here: place(deployment.workspace, deployment.board),
    there: place(deployment.otherWorkspace, deployment.otherBoard),
    theirs: place(deployment.otherAccountWorkspace, deployment.otherAccountBoard),
  };
}

/** Returns the configured workspace of the account other than this one, or undefined. */
export const otherThan = (own: unknown, { deployment: { workspace, otherWorkspace } }: Steps): string | undefined =>
  [workspace, otherWorkspace].find((slug) => slug !== undefined && slug !== own);

/** Returns the workspace that a key resolves to without the argument, or undefined. */
export async function ownWorkspace(t: Steps, as: Role): Promise<string | undefined> {
  const asked = { tool: 'schedule.read', args: {}, as };
  const exchange = await t.sendOnce(`read as ${as} without naming a workspace`, asked);
  const { workspace } = body(exchange);
  return isSuccess(exchange) && typeof workspace === 'string' ? workspace : undefined;
}

/**
 * Returns the place of a key, the other one of its account, and one of another account, and whether the key resolves to
 * its place `byItself`. Ends the story if the place is not known.
 */
export async function reachOf(t: Steps, as: Role) {
  const { here, there, theirs } = places(t);
  const resolved = await ownWorkspace(t, as);
  const ours = there !== undefined && there.workspace === resolved ? there : here;
  const own = as === 'otherAccount' ? theirs : ours;
  if (own === undefined) return t.cannot(`no workspace of the key in the role '${as}' is known`);
  const byItself = resolved === own.workspace;
  if (as === 'otherAccount') return { own, other: undefined, foreign: here, byItself };
  // The account of a key is unknown if the key works in an unknown workspace.
  const isTold = as === 'ambiguous' || byItself;
  return { own, other: own === here ? there : here, foreign: isTold ? theirs : undefined, byItself };
}

import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { servedRoles } from '../../fixtures/roles.ts';
import { body, type Completed, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { brief, member } from '../json.ts';
import { TooLarge, Unanswered } from '../session/call.ts';
import type { Deployment } from '../topics/deployment.ts';
import type { Args, Steps } from '../topics/steps.ts';
import { troubleWith } from './recognition.ts';

/** Result of the requests before the first story. */
interface Survey {
  deployment: Deployment;
  notices: string[];
  /** Why nothing can be checked; undefined if something can. */
  trouble?: string;
}

/**
 * Finds out whether the deployment responds and accepts a key. If the configuration names no workspace, also finds the
 * workspace that `primary` works in.
 */
export async function survey(t: Steps): Promise<Survey> {
  const { deployment } = t;
  const notices: string[] = [];
  const served = t.present(servedRoles);
  const trouble = await troubleWith(t, served);
  if (trouble !== undefined) return { deployment, notices, trouble };
  if (!t.has('primary')) return { deployment, notices };
  try {
    return { deployment: await placePrimary(t, deployment, notices), notices };
  } catch (error) {
    // The deployment responds, at least sometimes. The stories show the rest.
    if (error instanceof Unanswered || error instanceof TooLarge) return { deployment, notices };
    throw error;
  }
}

function read(t: Steps, args: Args, tool: string = 'schedule.read'): Promise<Completed> {
  return t.sendOnce('read', { tool, args });
}

/** Finds out how the workspace of `primary` is resolved, and sets the workspace if none is configured. */
async function placePrimary(t: Steps, deployment: Deployment, notices: string[]): Promise<Deployment> {
  const response = await read(t, {});
  const { workspace, workspaces } = body(response);
  const source = member(response.response.json, 'working_in', 'source');
  const resolved = isSuccess(response) && typeof workspace === 'string' ? workspace : undefined;
  const pinned = resolved !== undefined && (source === undefined || source === 'key-pin');
  if (deployment.workspace !== undefined) {
    const there = await read(t, { workspace: deployment.workspace });
    if (isRefusal(there)) {
      const code = String(body(there).code);
      notices.push(`'primary' is refused in "${deployment.workspace}" (${code}): check workspaces[0].slug`);
    }
  }
  if (resolved !== undefined) {
    const placed = { ...deployment, workspace: deployment.workspace ?? resolved };
    return pinned ? withinPin(t, placed, notices) : placed;
  }
  if (
    deployment.workspace !== undefined ||
    !isRefusal(response, refusalCodes.workspaceAmbiguous) ||
    !Array.isArray(workspaces)
  ) {
    return deployment;
  }
  const [first, second] = workspaces.filter((slug): slug is string => typeof slug === 'string');
  if (first === undefined) return deployment;
  notices.push(
    `no workspace is configured and 'primary' reaches several: the run uses ${brief(first)}, the first in the list`,
  );
  return { ...deployment, workspace: first, otherWorkspace: deployment.otherWorkspace ?? second };
}

/**
 * Drops the other workspace if `primary` does not work there. The specification does not show what a pinned key does
 * with another workspace.
 */
async function withinPin(t: Steps, deployment: Deployment, notices: string[]): Promise<Deployment> {
  if (deployment.otherWorkspace === undefined) return deployment;
  // If one tool ignores the argument, the tool deviates. If all tools do, the key is pinned.
  for (const tool of ['schedule.read', 'connections.status', 'content.status'] as const) {
    const response = await read(t, { workspace: deployment.otherWorkspace }, tool);
    if (isSuccess(response) && body(response).workspace === deployment.otherWorkspace) return deployment;
  }
  notices.push(`the run does not use "${deployment.otherWorkspace}": 'primary' does not work there, and may be pinned`);
  return { ...deployment, otherWorkspace: undefined, otherBoard: undefined };
}

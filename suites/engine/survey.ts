import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { servedRoles } from '../../fixtures/roles.ts';
import { type Args, Steps } from '../flows/steps.ts';
import { body, type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { brief, member } from '../json.ts';
import { Unanswered } from '../session/call.ts';
import { TooLarge } from '../session/too-large.ts';
import type { Surroundings } from './flows.ts';
import type { Ground } from './ground.ts';
import { troubleWith } from './recognition.ts';

/** What is found out before any flow runs. */
export interface Survey {
  ground: Ground;
  notices: string[];
  /** Why nothing can be checked at all; undefined where something can. */
  trouble?: string;
}

/**
 * Finds out whether the deployment answers and accepts a key, and which workspace `primary` works in where the
 * configuration does not say.
 */
export async function survey(around: Surroundings): Promise<Survey> {
  const { ground, target, session, seed } = around;
  const nothing = {
    proposal: undefined,
    noProposal: undefined,
    contentRequest: undefined,
    noContentRequest: undefined,
  };
  const t = new Steps({
    goesFirst: true,
    flow: 'survey',
    session,
    target,
    seed,
    shared: new Map(),
    known: { ...ground, ...nothing },
  });
  const notices: string[] = [];
  const served = servedRoles.filter((role) => target.keys[role] !== undefined);
  const trouble = await troubleWith(t, served);
  if (trouble !== undefined) return { ground, notices, trouble };
  if (target.keys.primary === undefined) return { ground, notices };
  const placed = await orUnanswered(placePrimary(t, ground, notices));
  // Somebody answers, if not always: the flows will tell.
  return { ground: placed instanceof Error ? ground : placed, notices };
}

function read(t: Steps, args: Args, tool: string = 'schedule.read'): Promise<Completed> {
  return t.send('read', { tool, args });
}

/** A promise of what was asked for, or of why there was no answer. */
function orUnanswered<T>(asked: Promise<T>): Promise<T | Unanswered | TooLarge> {
  return asked.catch((error: unknown) => {
    if (error instanceof Unanswered || error instanceof TooLarge) return error;
    throw error;
  });
}

/** Finds out how `primary` resolves by itself, and where it works when the configuration does not say. */
async function placePrimary(t: Steps, ground: Ground, notices: string[]): Promise<Ground> {
  const answer = await read(t, {});
  const { workspace, workspaces } = body(answer);
  const source = member(answer.response.json, 'working_in', 'source');
  const resolved = isSuccess(answer) && typeof workspace === 'string' ? workspace : undefined;
  const pinned = resolved !== undefined && (source === undefined || source === 'key-pin');
  if (ground.workspace !== undefined) {
    const there = await read(t, { workspace: ground.workspace });
    if (isRefusal(there)) {
      const code = String(body(there).code);
      notices.push(`'primary' is refused in "${ground.workspace}" (${code}): check workspaces[0].slug`);
    }
  }
  if (resolved !== undefined) {
    const placed = { ...ground, workspace: ground.workspace ?? resolved };
    return pinned ? withinPin(t, placed, notices) : placed;
  }
  if (
    ground.workspace !== undefined ||
    !isRefusal(answer, refusalCodes.workspaceAmbiguous) ||
    !Array.isArray(workspaces)
  ) {
    return ground;
  }
  const [first, second] = workspaces.filter((slug): slug is string => typeof slug === 'string');
  if (first === undefined) return ground;
  notices.push(
    `no workspace is configured and 'primary' reaches several: the run uses ${brief(first)}, the first in the list`,
  );
  return { ...ground, workspace: first, otherWorkspace: ground.otherWorkspace ?? second };
}

/** What a pinned key does with another workspace is not shown; where it does not work there, neither does the kit. */
async function withinPin(t: Steps, ground: Ground, notices: string[]): Promise<Ground> {
  if (ground.otherWorkspace === undefined) return ground;
  // One tool that ignores the argument is a deviation; where no tool listens, it is the pin.
  for (const tool of ['schedule.read', 'connections.status', 'content.status'] as const) {
    const answer = await read(t, { workspace: ground.otherWorkspace }, tool);
    if (isSuccess(answer) && body(answer).workspace === ground.otherWorkspace) return ground;
  }
  notices.push(`the run does not use "${ground.otherWorkspace}": 'primary' does not work there, and may be pinned`);
  return { ...ground, otherWorkspace: undefined, otherBoard: undefined };
}

import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Role, servedRoles } from '../../fixtures/roles.ts';
import { type Args, type Asked, Steps } from '../flows/steps.ts';
import { body, type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { brief, member } from '../json.ts';
import { Unanswered } from '../session/call.ts';
import { noCredential } from '../session/credentials.ts';
import { TooLarge } from '../session/too-large.ts';
import type { Surroundings } from './flows.ts';
import type { Ground } from './ground.ts';

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

function read(t: Steps, args: Args, as: Asked['as'] = 'primary', tool: string = 'schedule.read'): Promise<Completed> {
  return t.send('read', { tool, args, as });
}

/** A promise of what was asked for, or of why there was no answer. */
function orUnanswered<T>(asked: Promise<T>): Promise<T | Unanswered | TooLarge> {
  return asked.catch((error: unknown) => {
    if (error instanceof Unanswered || error instanceof TooLarge) return error;
    throw error;
  });
}

/**
 * Why nothing can be checked: nobody answers, or every key is refused; undefined where at least one is served. A single
 * key that is refused is for the rules to judge.
 */
async function troubleWith(t: Steps, served: readonly Role[]): Promise<string | undefined> {
  let silence: Unanswered | undefined;
  let refused = 0;
  for (const role of served) {
    // One tool that refuses a key is for the rules to judge; two, and it is the key.
    for (const tool of ['credits.balance', 'schedule.read'] as const) {
      const answer = await orUnanswered(read(t, {}, role, tool));
      // Somebody answers, if too much.
      if (answer instanceof TooLarge) return undefined;
      if (answer instanceof Unanswered) silence ??= answer;
      else if (answer.response.status !== 401 && answer.response.status !== 403) return undefined;
      else refused += 1;
    }
  }
  // Without a key that ought to be served, rules on refused keys are all there is; one call shows that somebody
  // answers.
  if (served.length === 0) {
    const answer = await orUnanswered(read(t, {}, noCredential));
    return answer instanceof Unanswered ? unreachable(answer) : undefined;
  }
  if (silence === undefined) {
    return `the deployment refuses every key (${served.join(', ')}): check that they are valid for this base URL`;
  }
  return refused === 0 ? unreachable(silence) : undefined;
}

function unreachable({ message, exchange }: Unanswered): string {
  return exchange?.problem === null
    ? `the target responds, but serves no request: ${message}`
    : `the target is unreachable: ${message}`;
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
    const answer = await read(t, { workspace: ground.otherWorkspace }, 'primary', tool);
    if (isSuccess(answer) && body(answer).workspace === ground.otherWorkspace) return ground;
  }
  notices.push(`the run does not use "${ground.otherWorkspace}": 'primary' does not work there, and may be pinned`);
  return { ...ground, otherWorkspace: undefined, otherBoard: undefined };
}

import { type Role, servedRoles } from '../../fixtures/roles.ts';
import { body, isRefusal, isSuccess } from '../exchange.ts';
import { brief, member } from '../json.ts';
import { Unanswered } from '../session/call.ts';
import { TooLarge } from '../session/too-large.ts';
import { Context, type Surroundings } from './context.ts';
import type { Ground } from './ground.ts';

/** What is found out before any check runs. */
export interface Survey {
  ground: Ground;
  notices: string[];
  /** Why nothing can be checked at all; undefined where something can. */
  trouble?: string;
}

/**
 * Finds out whether the deployment answers and accepts a key, and which workspace `primary` works in where the
 * configuration does not say. Its calls are plain readings that checks share.
 */
export async function survey(around: Surroundings): Promise<Survey> {
  const { ground, target } = around;
  const t = new Context(around);
  const notices: string[] = [];
  const served = servedRoles.filter((role) => target.keys[role] !== undefined);
  const trouble = await troubleWith(t, served);
  if (trouble !== undefined) return { ground, notices, trouble };
  if (target.keys.primary === undefined) return { ground, notices };
  const placed = await orUnanswered(placePrimary(t, ground, notices));
  // Somebody answers, if not always: the checks will tell.
  return { ground: placed instanceof Error ? ground : placed, notices };
}

/** A promise of what was asked for, or of why there was no answer. */
function orUnanswered<T>(asked: Promise<T>): Promise<T | Unanswered | TooLarge> {
  return asked.catch((error: unknown) => {
    if (error instanceof Unanswered || error instanceof TooLarge) return error;
    throw error;
  });
}

/**
 * Why nothing can be checked: nobody answers, or every key is refused; undefined where at least one is served. A single key
 * that is refused is for the checks to judge.
 */
async function troubleWith(t: Context, served: readonly Role[]): Promise<string | undefined> {
  let silence: Unanswered | undefined;
  let refused = 0;
  for (const role of served) {
    // One tool that refuses a key is for the checks to judge; two, and it is the key.
    for (const tool of ['credits.balance', 'schedule.read'] as const) {
      const answer = await orUnanswered(t.call(tool, {}, { as: role }));
      // Somebody answers, if too much.
      if (answer instanceof TooLarge) return undefined;
      if (answer instanceof Unanswered) silence ??= answer;
      else if (answer.answer.status !== 401 && answer.answer.status !== 403) return undefined;
      else refused += 1;
    }
  }
  // Without a key that ought to be served, checks on refused keys are all there is; one call shows that somebody answers.
  if (served.length === 0) {
    const answer = await orUnanswered(t.call('schedule.read', {}, { as: { label: 'no credential', good: false } }));
    return answer instanceof Unanswered ? unreachable(answer) : undefined;
  }
  if (silence === undefined) {
    return `the target refuses every key: ${served.join(', ')}; check that they are current and meant for this base URL`;
  }
  return refused === 0 ? unreachable(silence) : undefined;
}

function unreachable({ message, exchange }: Unanswered): string {
  return exchange?.problem === null
    ? `the target cannot be worked with: ${message}`
    : `the target is unreachable: ${message}`;
}

/** Finds out how `primary` resolves by itself, and where it works when the configuration does not say. */
async function placePrimary(t: Context, ground: Ground, notices: string[]): Promise<Ground> {
  const answer = await t.call('schedule.read', {});
  const { workspace, workspaces } = body(answer);
  const source = member(answer.answer.json, 'working_in', 'source');
  const resolved = isSuccess(answer) && typeof workspace === 'string' ? workspace : undefined;
  const pinned = resolved !== undefined && (source === undefined || source === 'key-pin');
  if (ground.workspace !== undefined) {
    const there = await t.call('schedule.read', { workspace: ground.workspace });
    if (isRefusal(there)) {
      const code = String(body(there).code);
      notices.push(`'primary' is refused in "${ground.workspace}" (${code}): is workspaces[0].slug what was meant?`);
    }
  }
  if (resolved !== undefined) {
    const placed = { ...ground, workspace: ground.workspace ?? resolved };
    return pinned ? withinPin(t, placed, notices) : placed;
  }
  if (ground.workspace !== undefined || !isRefusal(answer, 'workspace_ambiguous') || !Array.isArray(workspaces)) {
    return ground;
  }
  const [first, second] = workspaces.filter((slug): slug is string => typeof slug === 'string');
  if (first === undefined) return ground;
  notices.push(
    `no workspace is configured and 'primary' is ambiguous: working in ${brief(first)}, the first that it lists`,
  );
  return { ...ground, workspace: first, otherWorkspace: ground.otherWorkspace ?? second };
}

/** What a pinned key does with another workspace is not shown; where it does not work there, neither does the kit. */
async function withinPin(t: Context, ground: Ground, notices: string[]): Promise<Ground> {
  if (ground.otherWorkspace === undefined) return ground;
  // One tool that ignores the argument is a deviation; where no tool listens, it is the pin.
  for (const tool of ['schedule.read', 'connections.status', 'content.status'] as const) {
    const answer = await t.call(tool, { workspace: ground.otherWorkspace });
    if (isSuccess(answer) && body(answer).workspace === ground.otherWorkspace) return ground;
  }
  notices.push(`'primary' may be pinned, and does not work in "${ground.otherWorkspace}": left aside`);
  return { ...ground, otherWorkspace: undefined, otherBoard: undefined };
}

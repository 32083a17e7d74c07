import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { describeAnswer } from '../expect/answers.ts';
import type { Verdict } from '../finding.ts';
import { brief } from '../json.ts';
import { aRequest } from './content.ts';
import { controlProposed } from './images.ts';
import { plainArguments, type ReadingTool, works } from './reading.ts';
import { ambiguous } from './refusals.ts';

/** Slugs that a refusal lists. */
export function slugsIn(refusal: Answered): string[] {
  const { workspaces } = body(refusal);
  return Array.isArray(workspaces) ? workspaces.filter((slug): slug is string => typeof slug === 'string') : [];
}

/** A slug that a refusal lists has to work when the same key passes it. */
export function choiceWorks(refusal: Answered, slug: string, answer: Answered): Verdict {
  if (isSuccess(answer)) return undefined;
  return {
    expected: `${brief(slug)}, which ${refusal.request.tool} lists, to work when the same key passes it`,
    actual: describeAnswer(answer),
    hint: 'a choice that is listed has to work: list slugs, and only those that the key reaches',
    exchanges: [refusal, answer],
  };
}

/** A workspace that the ambiguous key may choose, tried. */
export async function aChoice(t: Context): Promise<string> {
  const refusal = await ambiguous(t);
  const listed = body(refusal).workspaces;
  const workspace = Array.isArray(listed) && typeof listed[0] === 'string' ? listed[0] : t.ground.workspace;
  if (workspace === undefined) return t.cannot('no workspace is known that this key could choose');
  const tool = (await works(t, 'connections.status')) ? 'connections.status' : 'schedule.read';
  const chosen = await t.call(tool, { workspace }, { as: 'ambiguous' });
  if (!isSuccess(chosen) && workspace === t.ground.workspace)
    t.cannot('no workspace is known that this key could choose');
  t.control('workspaces.ambiguous-choices-work', choiceWorks(refusal, workspace, chosen));
  return workspace;
}

/**
 * A call of a reading tool that is good apart from the workspace that it does not name, and that nothing else chooses;
 * undefined where its arguments are not shown.
 */
export async function readingUnchosen(t: Context, tool: ReadingTool): Promise<Answered | undefined> {
  const workspace = await aChoice(t);
  const named = await plainArguments(t, tool, { workspace }, 'ambiguous');
  if (tool === 'content.status' && named === undefined) return undefined;
  const { workspace: _, ...args } = named ?? { workspace, kind: 'post', id: '1' };
  return t.call(tool, args, { as: 'ambiguous' });
}

/** Tools that change something, each with a call that would be a good one if something chose a workspace; made once in a run. */
export const changingUnchosen = {
  'content.create_request': (t: Context) =>
    t.once('nothing chooses where to create', () => {
      const { workspace: _, ...args } = aRequest(t);
      return t.call('content.create_request', args, { as: 'ambiguous' });
    }),
  'images.generate': async (t: Context) => {
    const { workspace: _, ...args } = (await controlProposed(t)).args;
    return t.once('nothing chooses where to propose', () => t.call('images.generate', args, { as: 'ambiguous' }));
  },
} as const;

export type ChangingTool = keyof typeof changingUnchosen;

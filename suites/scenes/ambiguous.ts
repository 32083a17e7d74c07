import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { describeAnswer } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';
import { brief } from '../json.ts';
import { plainArguments, type ReadingTool, works } from './reading.ts';
import { ambiguous } from './refusals.ts';

/** The most slugs of a refusal that are tried. */
const mostChoices = 10;

/** Slugs that a refusal lists. */
export function slugsIn(refusal: Answered): string[] {
  const { workspaces } = body(refusal);
  return Array.isArray(workspaces) ? workspaces.filter((slug): slug is string => typeof slug === 'string') : [];
}

/** A slug that a refusal lists has to work when the same key passes it. */
export function choiceWorks(refusal: Answered, slug: string, answer: Answered): Finding | undefined {
  if (isSuccess(answer)) return undefined;
  return {
    expected: `${brief(slug)}, which ${refusal.request.tool} lists, to work when the same key passes it`,
    actual: describeAnswer(answer),
    hint: 'a choice that is listed has to work: list slugs, and only those that the key reaches',
    exchanges: [refusal, answer],
  };
}

/** Tries what a refusal lists, the first few of it. */
export function tryChoices(t: Context, slugs: readonly string[], refusal: Answered): Promise<(Finding | undefined)[]> {
  const tried = slugs.slice(0, mostChoices).map(async (workspace) => {
    return choiceWorks(refusal, workspace, await t.call('schedule.read', { workspace }, { as: 'ambiguous' }));
  });
  return Promise.all(tried);
}

/** Tries what these refusals list that `schedule.read`, whose choices are tried anyway, does not. */
export async function tryStrangers(t: Context, refusals: readonly Answered[]): Promise<(Finding | undefined)[]> {
  const known = new Set(slugsIn(await ambiguous(t)));
  const strangers = refusals.map((refusal) => {
    const slugs = slugsIn(refusal).filter((slug) => !known.has(slug));
    for (const slug of slugs) known.add(slug);
    return tryChoices(t, slugs, refusal);
  });
  return (await Promise.all(strangers)).flat();
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

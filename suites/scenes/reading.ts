import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { isRecord } from '../json.ts';

/** The workspace-scoped tools that change nothing. */
export const readingTools = [
  'schedule.read',
  'content.status',
  'library.search',
  'library.get',
  'knowledge.search',
  'connections.status',
] as const;

export type ReadingTool = (typeof readingTools)[number];

/** Which requirement promises that a tool answers a plain call. */
export const promisedBy: Readonly<Record<ReadingTool | 'credits.balance', RequirementId>> = {
  'schedule.read': 'schedule.answers',
  'content.status': 'content-status.answers',
  'library.search': 'library.search-answers',
  'library.get': 'library.found-can-be-got',
  'knowledge.search': 'knowledge.answers',
  'connections.status': 'connections.answers',
  'credits.balance': 'credits.balance',
};

/** A question that any knowledge base may be asked. */
export const question = 'What do we say about our prices?';

export interface LibraryItem {
  kind: string;
  id: string;
}

/** Items of a `library.search` answer that can be asked for. */
export function itemsOf(search: Answered): LibraryItem[] {
  const { items } = body(search);
  return (Array.isArray(items) ? items : []).filter(
    (item): item is LibraryItem => isRecord(item) && typeof item.kind === 'string' && typeof item.id === 'string',
  );
}

/** An item of the library, asked for with these arguments; undefined where the library shows none. */
async function anItem(t: Context, place: Args, as: Role): Promise<LibraryItem | undefined> {
  const search = await t.call('library.search', { ...place, query: '' }, { as });
  return isSuccess(search) ? itemsOf(search)[0] : undefined;
}

/**
 * Arguments with which a tool answers a plain call; undefined where the deployment has nothing to ask for: no item in
 * the library, or arguments of `content.status` that the document does not show.
 */
export async function plainArguments(
  t: Context,
  tool: ReadingTool,
  place: Args = t.here(),
  as: Role = 'primary',
): Promise<Args | undefined> {
  if (tool === 'library.search') return { ...place, query: '' };
  if (tool === 'knowledge.search') return { ...place, query: question };
  if (tool === 'library.get') {
    const item = await anItem(t, place, as);
    return item && { ...place, kind: item.kind, id: item.id };
  }
  if (tool !== 'content.status') return place;
  return isRefusal(await t.call(tool, place, { as }), 'invalid_arguments') ? undefined : place;
}

export interface Reading {
  tool: ReadingTool;
  args: Args;
  answer: Answered;
}

/** Plain calls of every reading tool that has something to answer, by one key in one place. */
export async function readings(t: Context, place: Args = t.here(), as: Role = 'primary'): Promise<Reading[]> {
  const all = await Promise.all(
    readingTools.map(async (tool) => {
      const args = await plainArguments(t, tool, place, as);
      return args && { tool, args, answer: await t.call(tool, args, { as }) };
    }),
  );
  return all.filter((reading) => reading !== undefined);
}

/** The readings of `primary` that succeed, as controls: where none does, the check at hand cannot be judged. */
export async function controlReadings(t: Context): Promise<Reading[]> {
  const all = await readings(t);
  const good = all.filter(({ answer }) => isSuccess(answer));
  const [failed] = all;
  if (good.length === 0 && failed !== undefined) {
    t.control(promisedBy[failed.tool], succeeds(failed.answer, `a plain call of ${failed.tool} ought to succeed`));
  }
  return good;
}

/** Whether a plain call of a tool by `primary` succeeds; nothing is known against it where there is no such call. */
export async function works(t: Context, tool: ReadingTool): Promise<boolean> {
  if (!t.has('primary')) return true;
  return (await readings(t)).every((reading) => reading.tool !== tool || isSuccess(reading.answer));
}

/** A plain call of one tool that ought to succeed; ends the check as not tested where there is nothing to ask for. */
export async function controlReading(t: Context, tool: ReadingTool): Promise<Reading> {
  const args = await plainArguments(t, tool);
  if (args === undefined) {
    const what = tool === 'library.get' ? 'a library item' : `arguments of ${tool}, which the document does not show`;
    return t.cannot(`nothing to ask ${tool} for: ${what}`, { kind: 'data', what });
  }
  const answer = await t.call(tool, args);
  t.control(promisedBy[tool], succeeds(answer, `a plain call of ${tool} ought to succeed`));
  return { tool, args, answer };
}

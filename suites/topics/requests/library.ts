import { readingTools, type ToolName, tools } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { type Completed, isSuccess } from '../../exchange/exchange.ts';
import { itemsIn, type LibraryItem } from '../../model/world/items.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';

export const question = String(tools['knowledge.search'].usual?.query);

export const search = (t: Steps, query: unknown) => ({ tool: 'library.search', args: t.here({ query }) });

/** Returns the items of a search. Ends the current part of the story if there are fewer than `least`. */
export function someItems(t: Steps, found: Completed, least = 1): LibraryItem[] {
  const items = itemsIn(found);
  const what = least === 1 ? 'a library item' : `${least} library items`;
  return items.length < least ? t.cannot(`the library does not show ${what}`, { kind: 'data', what }) : items;
}

export interface Reading {
  readonly asked: StoryRequest & { readonly tool: ToolName; readonly args: Args };
  readonly exchange: Completed;
}

/**
 * Sends a plain request to every reading tool, unless another story of the run did; to `library.get` only if the
 * library has an item.
 */
export async function readAll(t: Steps, step: string, place: Args, as: Role = 'primary'): Promise<Reading[]> {
  const readings: Reading[] = [];
  const read = async (tool: ToolName, args: Args) => {
    const asked = { tool, args: { ...place, ...args }, as };
    readings.push({ asked, exchange: await t.sendOnce(`${step}: ${tool}`, asked) });
  };
  for (const tool of readingTools) {
    const { usual } = tools[tool];
    if (usual !== undefined) await read(tool, usual);
  }
  const [item] = readings.flatMap(({ exchange }) => itemsIn(exchange));
  if (item !== undefined) await read('library.get', { kind: item.kind, id: item.id });
  return readings;
}

/** Returns the requests that succeeded, with another workspace. */
export function elsewhere(readings: readonly Reading[], workspaceFor: (reading: Reading) => unknown): StoryRequest[] {
  return readings
    .filter(({ exchange }) => isSuccess(exchange))
    .map((reading) => ({
      ...reading.asked,
      args: { ...reading.asked.args, workspace: workspaceFor(reading) },
    }));
}

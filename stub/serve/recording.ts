import { basename } from 'node:path';
import type { z } from 'zod';
import { isRecord, type JsonRecord, member, membersOf, parsed } from '../../suites/json.ts';
import { readRecording } from '../../suites/recorded/read.ts';
import { addressOf, type Recorded } from '../../suites/recorded/recorded.ts';
import { counted } from '../../suites/usage/counted.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { isSlug, shown, type WorldData } from '../seeded/data.ts';
import { consistentData } from '../seeded/world.ts';

type Part = 'library' | 'knowledge' | 'schedule';

/** What results show of a workspace. What no result shows is generated from the seed. */
interface ShownWorkspace {
  label?: string;
  connections?: z.infer<typeof shown.providers>;
  readonly boards: Map<string, { readonly id: string; readonly name: string }>;
  /** Entries by ID. */
  readonly parts: Map<Part, Map<string, JsonRecord>>;
}

/** The tools whose results show entries of a workspace. */
const sources: Readonly<Record<string, [part: Part, entries: (result: JsonRecord, args: JsonRecord) => unknown]>> = {
  'library.search': ['library', ({ items }) => items],
  'library.get': ['library', (result, args) => [{ ...args, ...result, ...recordOf(result.item) }]],
  'knowledge.search': ['knowledge', ({ hits }) => hits],
  'schedule.read': ['schedule', ({ pieces }) => pieces],
  'content.status': ['schedule', ({ pieces }) => pieces],
  'content.create_request': ['schedule', (result, args) => [{ title: args.title, ...result }]],
};

const forms: Readonly<Record<Part, readonly [form: z.ZodType<JsonRecord>, id: (entry: JsonRecord) => unknown]>> = {
  library: [shown.item, ({ kind, id }) => [kind, id]],
  knowledge: [shown.passage, (passage) => passage],
  schedule: [shown.piece, ({ piece_id }) => piece_id],
};

function see(workspace: ShownWorkspace, tool: string, result: JsonRecord, args: JsonRecord): void {
  const label = member(result, 'working_in', 'label');
  if (typeof label === 'string') workspace.label = label;
  const connections = tool === 'connections.status' ? shown.providers.safeParse(result).data : undefined;
  if (connections !== undefined) workspace.connections = connections;
  const { board } = args;
  if (tool === 'images.generate' && typeof board === 'string') workspace.boards.set(board, { id: board, name: board });
  const [part, entriesOf] = sources[tool] ?? [];
  if (part === undefined || entriesOf === undefined) return;
  const known = workspace.parts.get(part) ?? new Map<string, JsonRecord>();
  workspace.parts.set(part, known);
  const [form, idOf] = forms[part];
  const given: unknown = entriesOf(result, args);
  for (const value of Array.isArray(given) ? given : []) {
    const entry = form.safeParse(value).data;
    if (entry === undefined) continue;
    const id = JSON.stringify(idOf(entry));
    known.set(id, part === 'library' ? { ...entry, ...rich(known.get(id)) } : entry);
  }
}

function dataOf({ label, connections, boards, parts }: ShownWorkspace): object {
  return {
    label,
    connections,
    ...(boards.size > 0 && { boards: [...boards.values()] }),
    ...Object.fromEntries([...parts].map(([part, entries]) => [part, [...entries.values()]])),
  };
}

/** What the results show to one key. */
class ShownKey {
  readonly workspaces = new Map<string, ShownWorkspace>();
  credits: number | undefined;
  storedDefault: string | undefined;
  results = 0;

  see(tool: string, result: JsonRecord, args: JsonRecord): void {
    this.results += 1;
    if (tool === 'credits.balance' && typeof result.balance === 'number') this.credits = result.balance;
    const slug = result.workspace;
    if (!isSlug(slug)) return;
    if (member(result, 'working_in', 'source') === 'stored-default') this.storedDefault = slug;
    const workspace = this.workspaces.get(slug) ?? { boards: new Map(), parts: new Map() };
    this.workspaces.set(slug, workspace);
    see(workspace, tool, result, args);
  }
}

/**
 * Reads what the successful responses to the key with the most requests show: workspaces with their boards, items,
 * passages, connections and pieces, and the balance. In the data, this key is `primary`. The clock starts at the last
 * request. Rejects with a UsageError for a file that is no recording, or that shows no workspace.
 */
export async function readRecordedData(path: string): Promise<{ data: WorldData; found: string }> {
  const keys = new Map<string, ShownKey>();
  let last = 0;
  for await (const entries of readRecording(path, basename(path))) {
    for (const entry of entries) {
      const { tool, result, args } = successOf(entry) ?? {};
      if (entry === undefined || tool === undefined || result === undefined || args === undefined) continue;
      last = Math.max(last, entry.sentAt + (entry.clockMoved ?? 0));
      const key = senderOf(entry);
      keys.set(key, keys.get(key) ?? new ShownKey());
      keys.get(key)?.see(tool, result, args);
    }
  }
  const [primary = new ShownKey()] = [...keys.values()].sort((one, other) => other.results - one.results);
  const { workspaces, credits, storedDefault } = primary;
  const slugs = [...workspaces.keys()];
  const main = storedDefault ?? slugs[0];
  if (main === undefined) throw new UsageError(`--from: '${path}' shows no successful response with a workspace`);
  const data = asData(path, {
    ...(last > 0 && { now: new Date(last).toISOString() }),
    workspaces: Object.fromEntries([...workspaces].map(([slug, workspace]) => [slug, dataOf(workspace)])),
    ...(credits !== undefined && { accounts: { first: { credits } } }),
    keys: { primary: { reach: [main, ...slugs.filter((slug) => slug !== main)], storedDefault: main } },
  });
  const words = [
    ['library', 'library item'],
    ['knowledge', 'passage'],
    ['schedule', 'piece'],
  ] as const;
  const sizeOf = (part: Part) =>
    [...workspaces.values()].reduce((sum, { parts }) => sum + (parts.get(part)?.size ?? 0), 0);
  const parts = [counted(slugs.length, 'workspace'), ...words.map(([part, noun]) => counted(sizeOf(part), noun))];
  return { data, found: `From ${basename(path)}: ${parts.join(', ')}. What it does not show is generated.` };
}

const senderOf = ({ sender, requestHeaders = [] }: Recorded) =>
  sender?.label ?? requestHeaders.find(([name]) => name === 'authorization')?.[1] ?? '';

/** The tool, the result and the arguments of a request that succeeded. */
function successOf(entry: Recorded | undefined) {
  const tool = entry && addressOf(entry.url)?.tool;
  const result = parsed(entry?.response?.text);
  if (tool === undefined || entry?.response?.status !== 200 || !isRecord(result) || result.ok !== true)
    return undefined;
  return { tool, result, args: membersOf(entry.requestBody) };
}

/** Validates the data as a whole: some slugs belong to other accounts of the stub. */
function asData(path: string, given: object): WorldData {
  try {
    return consistentData(given);
  } catch (error) {
    throw new UsageError(`--from: '${path}': ${error instanceof Error ? error.message : error}`);
  }
}

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The members of an item that only `library.get` shows. */
function rich({ description = '', tags = [] }: JsonRecord = {}) {
  return { ...(description !== '' && { description }), ...(Array.isArray(tags) && tags.length > 0 && { tags }) };
}

import { basename } from 'node:path';
import type { z } from 'zod';
import { isRecord, type JsonRecord, member, membersOf, parsed } from '../../suites/json.ts';
import { readRecording } from '../../suites/recorded/read.ts';
import { addressOf, type Recorded } from '../../suites/recorded/recorded.ts';
import { counted } from '../../suites/usage/counted.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { type GivenData, isSlug, shown, type WorldData } from '../seeded/data.ts';
import { consistentData } from '../seeded/world.ts';

/** What the results of the tools show of a workspace, by ID. What no result shows is generated from the seed. */
class ShownWorkspace {
  label: string | undefined;
  readonly boards = new Map<string, { readonly id: string; readonly name: string }>();
  library: Map<string, z.infer<typeof shown.item>> | undefined;
  knowledge: Map<string, z.infer<typeof shown.passage>> | undefined;
  pieces: Map<string, z.infer<typeof shown.piece>> | undefined;
  connections: z.infer<typeof shown.providers> | undefined;

  see(tool: string, result: JsonRecord, args: JsonRecord): void {
    const label = member(result, 'working_in', 'label');
    if (typeof label === 'string') this.label = label;
    if (tool === 'library.search') this.#seeItems(result.items);
    if (tool === 'library.get') this.#seeItems([{ ...args, ...result, ...recordOf(result.item) }]);
    if (tool === 'knowledge.search') this.#seePassages(result.hits);
    if (tool === 'schedule.read' || tool === 'content.status') this.#seePieces(result.pieces);
    if (tool === 'content.create_request') this.#seePieces([{ title: args.title, ...result }]);
    if (tool === 'connections.status') this.connections = shown.providers.safeParse(result).data ?? this.connections;
    const { board } = args;
    if (tool === 'images.generate' && typeof board === 'string') this.boards.set(board, { id: board, name: board });
  }

  #seeItems(items: unknown): void {
    this.library ??= new Map();
    for (const item of fitting(items, shown.item)) {
      const name = JSON.stringify([item.kind, item.id]);
      // A search shows less of an item than `library.get`.
      this.library.set(name, { ...item, ...rich(this.library.get(name)) });
    }
  }

  #seePassages(hits: unknown): void {
    this.knowledge ??= new Map();
    for (const passage of fitting(hits, shown.passage)) this.knowledge.set(JSON.stringify(passage), passage);
  }

  #seePieces(pieces: unknown): void {
    this.pieces ??= new Map();
    for (const piece of fitting(pieces, shown.piece)) this.pieces.set(piece.piece_id, piece);
  }

  data(): NonNullable<GivenData['workspaces']>[string] {
    const { label, boards, library, knowledge, pieces, connections } = this;
    const [board, ...others] = boards.values();
    return {
      label,
      ...(board && { boards: [board, ...others] }),
      ...(library && { library: [...library.values()] }),
      ...(knowledge && { knowledge: [...knowledge.values()] }),
      ...(pieces && { schedule: [...pieces.values()] }),
      ...(connections && { connections }),
    };
  }
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
    const workspace = this.workspaces.get(slug) ?? new ShownWorkspace();
    this.workspaces.set(slug, workspace);
    workspace.see(tool, result, args);
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
    workspaces: Object.fromEntries([...workspaces].map(([slug, workspace]) => [slug, workspace.data()])),
    ...(credits !== undefined && { accounts: { first: { credits } } }),
    keys: { primary: { reach: [main, ...slugs.filter((slug) => slug !== main)], storedDefault: main } },
  });
  const sum = (of: (workspace: ShownWorkspace) => { readonly size: number } | undefined) =>
    [...workspaces.values()].reduce((all, workspace) => all + (of(workspace)?.size ?? 0), 0);
  const parts = [
    counted(slugs.length, 'workspace'),
    counted(
      sum(({ library }) => library),
      'library item',
    ),
    counted(
      sum(({ knowledge }) => knowledge),
      'passage',
    ),
    counted(
      sum(({ pieces }) => pieces),
      'piece',
    ),
  ];
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
function asData(path: string, given: GivenData): WorldData {
  try {
    return consistentData(given);
  } catch (error) {
    throw new UsageError(`--from: '${path}': ${error instanceof Error ? error.message : error}`);
  }
}

/** The members of an array that have the form of a part. */
function fitting<Part extends z.ZodType>(values: unknown, part: Part): z.infer<Part>[] {
  const all: unknown[] = Array.isArray(values) ? values : [];
  return all.flatMap((value) => part.safeParse(value).data ?? []);
}

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The members of an item that only `library.get` shows. */
function rich(item: z.infer<typeof shown.item> | undefined) {
  const { description = '', tags = [] } = item ?? {};
  return { ...(description !== '' && { description }), ...(tags.length > 0 && { tags }) };
}

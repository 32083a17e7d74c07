import type { ToolName } from '../../fixtures/contract/tools.ts';
import { exampleResult } from '../declared-tool.ts';
import { type Answer, declined, type Run, success, successHeaders, text } from './answer.ts';
import { createRandom } from './random.ts';
import type { Key, World } from './world.ts';

/** `library.search`: returns items with the query in their title, the newest first. */
export const searchLibrary = (run: Run): Answer => {
  const { workspace, args, world } = run;
  const query = text(args.query).toLowerCase();
  const hits = workspace.items.filter(({ title }) => title.toLowerCase().includes(query)).reverse();
  const shown = hits.slice(0, world.options.searchLimit).map((item) => ({ ...item }));
  return success(run, {
    total: hits.length,
    truncated: hits.length > shown.length,
    items: createRandom(world.options.orderSeed).shuffled(shown),
  });
};

/** `library.get`: finds an item by kind and ID together. */
export const getItem = (run: Run): Answer => {
  const { workspace, args, world } = run;
  const item = workspace.items.find(({ kind, id }) => kind === args.kind && id === args.id);
  if (item) return success(run, { item: { ...item, words: item.title.split(' ') } });
  if (world.options.unknownItem === 'nothing') return success(run, { item: null });
  return declined(run, world.options.codes.unknownItem, 'Nothing of that kind has that id.');
};

/** `knowledge.search`: returns the same three passages for every query, not ordered by strength. */
export const searchKnowledge = (run: Run): Answer => {
  const { options } = run.world;
  const hits = [
    { source: 'handbook, page 4', excerpt: 'The ferry leaves at low water.', relevance: 12.25 },
    { source: '', excerpt: 'Ropes are coiled clockwise. “Ümit” has none.', relevance: 0 },
    { source: 'minutes', excerpt: 'Nothing was decided.', relevance: -3 },
  ];
  return success(run, {
    query: text(run.args.query),
    hits: options.noHits ? [] : createRandom(options.orderSeed).shuffled(hits),
  });
};

/** `connections.status`: returns three groups, one of them empty. */
export const connectionsStatus = (run: Run): Answer => {
  const provider = (name: string) => (run.world.options.connectionsAsStrings ? name : { provider: name });
  return success(run, {
    connected: [provider('gull-post'), provider('tin-can')],
    needs_attention: [],
    available: [provider('semaphore')],
  });
};

/** `credits.balance`: belongs to the account, so it needs no workspace. */
export const creditsBalance = (world: World, key: Key): Answer => {
  world.balanceReads += 1;
  if (world.balanceReads === world.options.othersSpendBeforeRead) key.account.balance -= 3;
  const body = { ok: true, balance: key.account.balance };
  return { status: 200, headers: successHeaders(world), body, cause: 'success' };
};

/** A workspace-scoped tool that this server has no code for: returns the example of the declaration. */
export const exampleOfWorkspace =
  (tool: ToolName) =>
  (run: Run): Answer =>
    success(run, exampleResult(tool));

/** Returns the example of the declaration for a tool without a workspace. */
export const exampleOfAccount = (world: World, tool: ToolName): Answer => ({
  status: 200,
  headers: successHeaders(world),
  body: exampleResult(tool),
  cause: 'success',
});

import { limits } from '../../../fixtures/contract/limits.ts';
import { readingTools, type ToolName, tools } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, isSuccess } from '../../exchange/exchange.ts';
import { alwaysResolves } from '../../model/world/plain.ts';
import { creating, titled } from '../requests/content.ts';
import {
  briefFor,
  confirming,
  neverIssued,
  proposalOf,
  propose,
  proposing,
  resemblingId,
  without,
} from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toPropose, toSpend, toWrite } from '../story.ts';

/** Roles other than `primary`; all rules apply to their keys too. */
const others = ['defaulted', 'sole', 'pinned', 'otherAccount', 'ambiguous'] as const satisfies readonly Role[];

interface Place {
  readonly workspace: string;
  readonly board: string | undefined;
}

/** The workspace of a key, the other workspace of its account, and one of another account. */
interface Reach {
  readonly own: Place;
  readonly other: Place | undefined;
  readonly foreign: Place | undefined;
}

function reachOf(t: Steps, as: Role, own: unknown): Reach | undefined {
  const { workspace, board, otherWorkspace, otherBoard, otherAccountWorkspace, otherAccountBoard } = t.deployment;
  const place = (slug: string | undefined, of: string | undefined): Place | undefined =>
    slug === undefined ? undefined : { workspace: slug, board: of };
  const [here, there, theirs] = [
    place(workspace, board),
    place(otherWorkspace, otherBoard),
    place(otherAccountWorkspace, otherAccountBoard),
  ];
  if (as === 'otherAccount') return theirs && { own: theirs, other: undefined, foreign: here };
  const mine = own === there?.workspace ? there : here;
  // The account of a key is unknown if the key works in an unknown workspace.
  const isTold = as === 'ambiguous' || own === mine?.workspace;
  return mine && { own: mine, other: mine === here ? there : here, foreign: isTold ? theirs : undefined };
}

const workspaceIn = (exchange: Completed) => (isSuccess(exchange) ? body(exchange).workspace : undefined);

/** Calls a function for each configured other key, with the reach of the key. */
async function withEach(t: Steps, run: (as: (typeof others)[number], reach: Reach) => Promise<void>): Promise<void> {
  for (const as of t.present(others)) {
    const own = await t.send(`read in the default workspace of ${as}`, { tool: 'schedule.read', args: {}, as });
    const reach = reachOf(t, as, workspaceIn(own));
    if (reach !== undefined) await t.part(() => run(as, reach));
  }
}

/** Omits the argument for pinned keys, because these may ignore it. */
const workspaceArgument = (as: Role, { workspace }: Place): Args => (as === 'pinned' ? {} : { workspace });

const bodiesOf = ['null', '"{}"', '[]', '[{}]', '0', '{} {}', 'workspace=north', 'false', '"text"', '{"a": 1,}'];

export const readingAsOthers = story('invalid requests by other keys', {
  needs: { roles: [] },
  steps: async (t) => {
    await withEach(t, async (as, { own, foreign }) => {
      const turn = t.turn(`wrong requests by ${as}`);
      // Excludes the balance, because the server may cache it per key, and a later story compares balances.
      const apart = ['library.get', 'library.search'];
      const some = readingTools.filter((tool) => !apart.includes(tool));
      const toolOf = (index: number) => some[(turn + index) % some.length] ?? 'schedule.read';
      const place = workspaceArgument(as, own);
      const argsOf = (tool: ToolName): Args => {
        return tool === 'knowledge.search'
          ? { ...place, query: 'Who are our readers?' }
          : { ...place, ...tools[tool].usual };
      };
      // No other story reads with every tool in the other account.
      for (const tool of as === 'otherAccount' ? some : [])
        await t.send('send a valid request', { tool, args: argsOf(tool), as });
      for (const tool of [toolOf(0), 'schedule.read'] as const) {
        if (tool !== 'schedule.read') await t.send('send a valid request', { tool, args: argsOf(tool), as });
        const wrong = bodiesOf[(turn + tool.length) % bodiesOf.length] ?? 'null';
        await t.send('send a body that is not a JSON object', { tool, body: wrong, as });
        await t.send('request an empty workspace', { tool, args: { ...argsOf(tool), workspace: '' }, as });
        if (foreign === undefined || as === 'pinned') continue;
        const abroad = { ...argsOf(tool), workspace: foreign.workspace };
        await t.send("request another account's workspace", { tool, args: abroad, as });
      }
      const unknown = `${t.unknownTool()}.${as}`;
      await t.send('call a tool that does not exist', { tool: unknown, args: {}, as, invented: ['tool'] });
      await t.send('fetch without arguments', { tool: 'library.get', args: place, as });
      if (as === 'ambiguous')
        await t.send('fetch without arguments and without a workspace', { tool: 'library.get', args: {}, as });
    });
    if (!t.has('throttled')) return;
    const read = t.turn('what the throttled key reads') % 2 === 0 ? 'library.search' : 'knowledge.search';
    const args = t.here({ query: 'Who are our readers?' });
    await t.send('read as throttled', { tool: read, args, as: 'throttled' });
  },
  alsoTests: [
    'bodies.every-reading-tool',
    'workspaces.empty-refused',
    'workspaces.unreachable-refused',
    'unknown-tools.unknown-404',
  ],
});

export const proposingAsOthers = story('invalid proposals by other keys', {
  needs: { ...toPropose, roles: [] },
  steps: async (t) => {
    await withEach(t, async (as, { own, other, foreign }) => {
      if (own.board === undefined) return;
      const usual = without(t.proposal(), 'workspace');
      const request = (args: Args, how: Partial<StoryRequest> = {}): StoryRequest => ({
        ...proposing(t),
        args: { ...usual, ...workspaceArgument(as, own), board: own.board, ...args },
        as,
        ...how,
      });
      await t.send('propose', request({}));
      await t.send('then read without a workspace', { tool: 'schedule.read', args: {}, as });
      const board = resemblingId(own.board, t.text(`unknown board for ${as}`, 16));
      await t.send('propose for a board that does not exist', request({ board }, { invented: ['board'] }));
      if (as === 'sole')
        await t.send('propose with a count that is not a number', request({ count: String(usual.count) }));
      if (other?.board !== undefined) {
        await t.send('propose for a board of the other workspace', request({ board: other.board }));
      }
      if (as === 'pinned') return;
      await t.send('propose with an empty workspace', request({ workspace: '' }));
      if (other?.board !== undefined && as === 'defaulted') {
        await t.send('propose in the other workspace', request({ ...other, brief: briefFor(t, 'in turn') }));
        await t.send('then read without a workspace', { tool: 'schedule.read', args: {}, as });
        await t.send(
          'propose for a board of the first workspace in the second',
          request({ ...other, board: own.board }),
        );
      }
      const unknown = { workspace: t.unknownWorkspace() };
      const nowhere = { invented: ['workspace'] };
      await t.send('propose in a workspace that does not exist', request(unknown, nowhere));
      if (foreign === undefined) return;
      const abroad = { workspace: foreign.workspace, board: foreign.board ?? own.board };
      await t.send('propose in a workspace of another account', request(abroad));
    });
  },
  alsoTests: [
    'image-proposals.board-unknown-refused',
    'image-proposals.board-elsewhere-refused',
    'image-proposals.count-wrong-type-refused',
    'image-proposals.workspace-empty-refused',
    'image-proposals.workspace-unknown-refused',
    'image-proposals.workspace-unreachable-refused',
  ],
});

/** Proposes in a named workspace, and then without naming one, because a server may remember the workspace. */
async function proposeUnnamed(t: Steps, as: Role, { workspace, board }: Place): Promise<void> {
  if (board === undefined) return;
  const proposal = await propose(t, 'propose in a named workspace', { workspace, board }, { as });
  const unplaced = without(proposal.args, 'workspace');
  await t.send('propose again without a workspace', { tool: 'images.generate', args: unplaced, as });
}

/**
 * Proposes and confirms with one of the other keys, chosen by the seed, and presents invalid IDs with it. The key in
 * the role `ambiguous` also proposes without a workspace.
 */
export const confirmingAsOther = story('a confirmation by another key', {
  needs: { ...toSpend, roles: [] },
  steps: async (t) => {
    const turn = t.turn('whose confirmation');
    const present = t.present(others);
    let isDone = false;
    await withEach(t, async (as, { own }) => {
      if (as === 'ambiguous') await t.part(() => proposeUnnamed(t, as, own));
      if (isDone || own.board === undefined || as !== present[turn % present.length]) return;
      const place = { ...workspaceArgument(as, own), board: own.board };
      const request = { ...without(t.proposal(), 'workspace'), ...place, brief: briefFor(t, `as ${as}`) };
      const asked = { tool: 'images.generate', args: request };
      const proposal = proposalOf(t, request, await t.send('propose', { ...asked, as }));
      const unnamed = alwaysResolves(as) ? { workspace: undefined } : {};
      await t.send('present an ID that was never issued', { ...neverIssued(t, proposal), as });
      await t.send('confirm', { ...confirming(proposal, unnamed), as });
      await t.send('present the used ID', { ...confirming(proposal), as });
      await t.send('present an ID that was never issued again', { ...neverIssued(t, proposal), as });
      isDone = true;
    });
  },
  alsoTests: [
    'confirmations.used-invalid',
    'confirmations.used-like-never-issued',
    'confirmations.unnamed-workspace',
    'workspaces.ambiguous-images-generate',
  ],
});

export const creatingAsOthers = story('invalid content requests by other keys', {
  needs: { ...toWrite, roles: [] },
  steps: async (t) => {
    await withEach(t, async (as, { own, other, foreign }) => {
      // Omits the argument for keys that have already created a content request without it.
      const place = alwaysResolves(as) ? { workspace: undefined } : workspaceArgument(as, own);
      const request = (args: Args, how: Partial<StoryRequest> = {}) =>
        creating(t, { title: titled(t, `as ${as}`), ...place, ...args }, { as, ...how });
      if (as === 'otherAccount') await t.send('create a content request', request({}));
      if (as === 'defaulted' && other !== undefined) {
        await t.send('create in the other workspace', request({ workspace: other.workspace }));
        await t.send('then read without a workspace', { tool: 'schedule.read', args: {}, as });
      }
      const tooLong = limits.title.most + 1;
      const title = titled(t, 'long ').padEnd(tooLong, 'x');
      await t.send(`create with a title of ${tooLong} characters`, request({ title }));
      // The keys alternate between the two errors; the second account sends both.
      const wrong = [{ format: 'reels' }, { tck_unknown: 'x' }];
      const some = as === 'otherAccount' ? wrong : wrong.slice(others.indexOf(as) % 2).slice(0, 1);
      for (const change of some) await t.send('create with unknown properties or values', request(change));
      if (others.indexOf(as) % 2 === 0) await t.send('create with an empty workspace', request({ workspace: '' }));
      if (foreign === undefined || as === 'pinned') return;
      await t.send("create in another account's workspace", request({ workspace: foreign.workspace }));
    });
  },
  alsoTests: [
    'content-requests.title-too-long-refused',
    'content-requests.format-unknown-refused',
    'content-requests.unknown-property-refused',
    'content-requests.workspace-empty-refused',
    'content-requests.workspace-unreachable-refused',
  ],
});

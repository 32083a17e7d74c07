import { limits } from '../../fixtures/contract/limits.ts';
import { toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import { body, type Completed, isSuccess } from '../history/exchange.ts';
import { creating, titled } from './content.ts';
import { flow } from './flow.ts';
import { briefFor, confirming, proposalOf, proposing, without } from './images.ts';
import { neverIssued, resemblingId } from './made-up-ids.ts';
import { unknownName } from './plain-requests.ts';
import type { Args, Asked, Steps } from './steps.ts';

/** Keys beside `primary`, for whom every rule holds as well. */
const others = ['defaulted', 'sole', 'pinned', 'otherAccount', 'ambiguous'] as const satisfies readonly Role[];

/** A workspace with a board of it. */
interface Place {
  readonly workspace: string;
  readonly board: string | undefined;
}

/** Where the key of a role works, the other workspace of its account, and one of another account. */
interface Reach {
  readonly own: Place;
  readonly other: Place | undefined;
  readonly foreign: Place | undefined;
}

function reachOf(t: Steps, as: Role, own: unknown): Reach | undefined {
  const { workspace, board, otherWorkspace, otherBoard, otherAccountWorkspace, otherAccountBoard } = t.known;
  const place = (slug: string | undefined, of: string | undefined): Place | undefined =>
    slug === undefined ? undefined : { workspace: slug, board: of };
  const [here, there, theirs] = [
    place(workspace, board),
    place(otherWorkspace, otherBoard),
    place(otherAccountWorkspace, otherAccountBoard),
  ];
  if (as === 'otherAccount') return theirs && { own: theirs, other: undefined, foreign: here };
  const mine = own === there?.workspace ? there : here;
  // A key that works where no other one is known to has an account that nothing tells.
  const isTold = as === 'ambiguous' || own === mine?.workspace;
  return mine && { own: mine, other: mine === here ? there : here, foreign: isTold ? theirs : undefined };
}

const workspaceIn = (exchange: Completed) => (isSuccess(exchange) ? body(exchange).workspace : undefined);

/** Does something with each other key that there is, and with how far it reaches. */
async function withEach(t: Steps, run: (as: (typeof others)[number], reach: Reach) => Promise<void>): Promise<void> {
  for (const as of others.filter((role) => t.has(role))) {
    const own = await t.send(`read where ${as} works by itself`, { tool: 'schedule.read', args: {}, as });
    const reach = reachOf(t, as, workspaceIn(own));
    if (reach !== undefined) await t.part(() => run(as, reach));
  }
}

/** A pinned key may not listen when a request names a workspace: it names none. */
const named = (as: Role, { workspace }: Place): Args => (as === 'pinned' ? {} : { workspace });

const bodiesOf = ['null', '"{}"', '[]', '[{}]', '0', '{} {}', 'workspace=north', 'false', '"text"', '{"a": 1,}'];

/** What every reading tool refuses to every key. */
export const readingAsOthers = flow(
  'wrong requests by other keys',
  {
    lane: 'reading',
    needs: { roles: [] },
    witnesses: [
      'bodies.every-reading-tool',
      'workspaces.empty-refused',
      'workspaces.unreachable-refused',
      'unknown-tools.unknown-404',
    ],
  },
  async (t) => {
    await withEach(t, async (as, { own, foreign }) => {
      const turn = t.text(`wrong requests by ${as}`).charCodeAt(0);
      // Who reads a balance early may have it cached, and the balances are compared later.
      const apart = ['library.get', 'library.search', 'credits.balance'];
      const tools = toolsWithoutSideEffects.filter((tool) => !apart.includes(tool));
      const toolOf = (index: number) => tools[(turn + index) % tools.length] ?? 'schedule.read';
      const place = named(as, own);
      const argsOf = (tool: string): Args => {
        return tool === 'knowledge.search' ? { ...place, query: 'Who are our readers?' } : place;
      };
      for (const tool of [toolOf(0), 'schedule.read']) {
        if (tool !== 'schedule.read') await t.send('ask as it should be', { tool, args: argsOf(tool), as });
        const wrong = bodiesOf[(turn + tool.length) % bodiesOf.length] ?? 'null';
        await t.send('send what is not a JSON object', { tool, body: wrong, as });
        await t.send('name an empty workspace', { tool, args: { ...argsOf(tool), workspace: '' }, as });
        if (foreign === undefined || as === 'pinned') continue;
        const abroad = { ...argsOf(tool), workspace: foreign.workspace };
        await t.send("name another account's workspace", { tool, args: abroad, as });
      }
      const unknown = `${unknownName(t)}.${as}`;
      await t.send('ask for a tool that does not exist', { tool: unknown, args: {}, as, invented: ['tool'] });
      await t.send('fetch nothing', { tool: 'library.get', args: place, as });
      if (as === 'ambiguous') await t.send('fetch nothing, nowhere', { tool: 'library.get', args: {}, as });
    });
    if (!t.has('throttled')) return;
    // The key that may be exhausted reads a little as well.
    const read = t.text('what the throttled key reads').charCodeAt(0) % 2 === 0 ? 'library.search' : 'knowledge.search';
    const args = t.here({ query: 'Who are our readers?' });
    await t.send('read as throttled', { tool: read, args, as: 'throttled' });
  },
);

/** Proposals with one thing wrong. */
export const proposingAsOthers = flow(
  'wrong proposals by other keys',
  {
    lane: 'writing',
    needs: { roles: [], effects: ['proposals'], settings: ['board'] },
    uses: ['proposal'],
    witnesses: [
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      'image-proposals.count-wrong-type-refused',
      'image-proposals.workspace-empty-refused',
      'image-proposals.workspace-unknown-refused',
      'image-proposals.workspace-unreachable-refused',
    ],
  },
  async (t) => {
    await withEach(t, async (as, { own, other, foreign }) => {
      if (own.board === undefined) return;
      const usual = without(t.proposal(), 'workspace');
      const request = (args: Args, how: Partial<Asked> = {}): Asked => ({
        ...proposing(t),
        args: { ...usual, ...named(as, own), board: own.board, ...args },
        as,
        ...how,
      });
      await t.send('propose', request({}));
      await t.send('read after that, in no workspace', { tool: 'schedule.read', args: {}, as });
      const board = resemblingId(own.board, t.text(`unknown board for ${as}`, 16));
      await t.send('propose for a board that does not exist', request({ board }, { invented: ['board'] }));
      if (as === 'sole')
        await t.send('propose with a count that is no number', request({ count: String(usual.count) }));
      if (other?.board !== undefined) {
        await t.send('propose for a board of the other workspace', request({ board: other.board }));
      }
      if (as === 'pinned') return;
      await t.send('propose in no workspace', request({ workspace: '' }));
      if (other?.board !== undefined && as === 'defaulted') {
        await t.send('propose in the other workspace', request({ ...other, brief: briefFor(t, 'in turn') }));
        await t.send('read after that, in no workspace', { tool: 'schedule.read', args: {}, as });
        await t.send('propose for a board of the first there', request({ ...other, board: own.board }));
      }
      const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
      const nowhere = { invented: ['workspace'] };
      await t.send('propose in a workspace that does not exist', request(unknown, nowhere));
      if (foreign === undefined) return;
      const abroad = { workspace: foreign.workspace, board: foreign.board ?? own.board };
      await t.send('propose in a workspace of another account', request(abroad));
    });
  },
);

/** Keys that work somewhere by themselves. */
const resolving: readonly Role[] = ['defaulted', 'sole', 'pinned'];

/** One of the other keys, by the seed, proposes and confirms, and presents what confirms nothing. */
export const confirmingAsOther = flow(
  'a confirmation by another key',
  {
    lane: 'images',
    needs: { roles: [], effects: ['proposals', 'spending'], settings: ['board'] },
    uses: ['proposal'],
    images: 1,
    witnesses: [
      'confirmations.used-invalid',
      'confirmations.used-like-never-issued',
      'confirmations.unnamed-workspace',
    ],
  },
  async (t) => {
    const turn = t.text('whose confirmation').charCodeAt(0);
    const present = others.filter((role) => t.has(role));
    let isDone = false;
    await withEach(t, async (as, { own }) => {
      if (isDone || own.board === undefined || as !== present[turn % present.length]) return;
      const place = { ...named(as, own), board: own.board };
      const request = { ...without(t.proposal(), 'workspace'), ...place, brief: briefFor(t, `as ${as}`) };
      const asked = { tool: 'images.generate', args: request };
      const proposal = proposalOf(t, request, await t.send('propose', { ...asked, as }));
      const unnamed = resolving.includes(as) ? { workspace: undefined } : {};
      await t.send('present an id that was never issued', { ...neverIssued(t, proposal), as });
      await t.send('confirm', { ...confirming(proposal, unnamed), as });
      await t.send('present the used id', { ...confirming(proposal), as });
      await t.send('present an id that was never issued again', { ...neverIssued(t, proposal), as });
      isDone = true;
    });
  },
);

/** Content requests with one thing wrong. */
export const creatingAsOthers = flow(
  'wrong content requests by other keys',
  {
    lane: 'writing',
    needs: { roles: [], effects: ['writes'] },
    uses: ['content'],
    witnesses: [
      'content-requests.title-too-long-refused',
      'content-requests.format-unknown-refused',
      'content-requests.unknown-property-refused',
      'content-requests.workspace-empty-refused',
      'content-requests.workspace-unreachable-refused',
    ],
  },
  async (t) => {
    await withEach(t, async (as, { own, other, foreign }) => {
      // Keys that resolve by themselves have created something without naming a workspace before.
      const place = ['pinned', 'defaulted', 'sole'].includes(as) ? { workspace: undefined } : named(as, own);
      const request = (args: Args, how: Partial<Asked> = {}) =>
        creating(t, { title: titled(t, `as ${as}`), ...place, ...args }, { as, ...how });
      if (as === 'otherAccount') await t.send('create a content request', request({}));
      if (as === 'defaulted' && other !== undefined) {
        await t.send('create in the other workspace', request({ workspace: other.workspace }));
        await t.send('read after that, in no workspace', { tool: 'schedule.read', args: {}, as });
      }
      const tooLong = limits.title.most + 1;
      const title = titled(t, 'long ').padEnd(tooLong, 'x');
      await t.send(`create with a title of ${tooLong} characters`, request({ title }));
      // One of the two, another one for the next key; both for the second account.
      const wrong = [{ format: 'reels' }, { tck_unknown: 'x' }];
      const some = as === 'otherAccount' ? wrong : wrong.slice(others.indexOf(as) % 2).slice(0, 1);
      for (const change of some) await t.send('create with something that is not known', request(change));
      if (others.indexOf(as) % 2 === 0) await t.send('create in no workspace', request({ workspace: '' }));
      if (foreign === undefined || as === 'pinned') return;
      await t.send("create in another account's workspace", request({ workspace: foreign.workspace }));
    });
  },
);

import { limits } from '../../../fixtures/contract/limits.ts';
import { readingTools, type ToolName, tools } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { isSuccess } from '../../exchange/exchange.ts';
import { onlyTitled } from '../../model/world/created.ts';
import { alwaysResolves } from '../../model/world/plain.ts';
import { tellingBodies } from '../bodies/bodies.ts';
import { sourceOfEachRung } from '../content-requests/isolation.ts';
import { worksWithout } from '../image-proposals/wrong-places.ts';
import { creating, titled } from '../requests/content.ts';
import { question } from '../requests/library.ts';
import { type Place, reachOf } from '../requests/places.ts';
import { briefFor, confirming, forUnknownBoard, neverIssued, propose, without } from '../requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { type Story, story, toPropose, toSpend, toWrite } from '../story.ts';
import { nameListed, refusesUnchosen } from '../workspaces/ambiguous.ts';
import { withinAccount } from '../workspaces/wrong-workspaces.ts';

/** Roles other than `primary`; all rules apply to their keys too. */
const others = ['defaulted', 'sole', 'pinned', 'otherAccount', 'ambiguous'] as const satisfies readonly Role[];

type Other = (typeof others)[number];

/** Omits the argument for pinned keys, which may ignore it. */
const named = (as: Role, { workspace }: Place): Args => (as === 'pinned' ? {} : { workspace });

/** Names the workspace only for a key that resolves to none without the argument. */
const ifNeeded = (as: Role, place: Place): Args => (alwaysResolves(as) ? {} : named(as, place));

const readUnnamed = (t: Steps, as: Role, tool: ToolName = 'schedule.read') =>
  t.send('then read without a workspace', { tool, args: {}, as });

/** Names an empty workspace, one that does not exist, and one of another account. */
async function inWrongWorkspaces(t: Steps, verb: string, request: (args: Args) => StoryRequest, foreign?: Args) {
  await t.send(`${verb} with an empty workspace`, request({ workspace: '' }));
  const unknown = request({ workspace: t.unknownWorkspace() });
  await t.send(`${verb} in a workspace that does not exist`, { ...unknown, invented: ['workspace'] });
  if (foreign !== undefined) await t.send(`${verb} in a workspace of another account`, request(foreign));
}

const readingAs = (as: Other): Story =>
  story(`invalid requests as ${as}`, {
    needs: { roles: [as] },
    steps: async (t) => {
      const { own, foreign } = await reachOf(t, as);
      const turn = t.turn(`wrong requests by ${as}`);
      // Excludes the balance, because the server may cache it per key, and a later story compares balances.
      const apart = ['library.get', 'library.search'];
      const some = readingTools.filter((tool) => !apart.includes(tool));
      const place = named(as, own);
      const argsOf = (tool: ToolName): Args =>
        tool === 'knowledge.search' ? { ...place, query: question } : { ...place, ...tools[tool].usual };
      const chosen = some[turn % some.length] ?? 'schedule.read';
      // No other story reads with every tool in the other account.
      for (const tool of as === 'otherAccount' ? some : [chosen])
        await t.sendOnce('send a valid request', { tool, args: argsOf(tool), as });
      const wrong = tellingBodies[turn % tellingBodies.length] ?? 'null';
      await t.send('send a body that is not a JSON object', { tool: chosen, body: wrong, as });
      await t.send('request an empty workspace', { tool: chosen, args: { ...argsOf(chosen), workspace: '' }, as });
      if (foreign !== undefined && as !== 'pinned') {
        const abroad = { ...argsOf(chosen), workspace: foreign.workspace };
        await t.send("request another account's workspace", { tool: chosen, args: abroad, as });
      }
      const unknown = `${t.unknownTool()}.${as}`;
      await t.send('call a tool that does not exist', { tool: unknown, args: {}, as, invented: ['tool'] });
      await t.send('fetch without arguments', { tool: 'library.get', args: place, as });
      if (as === 'ambiguous')
        await t.send('fetch without arguments and without a workspace', { tool: 'library.get', args: {}, as });
    },
    alsoTests: [
      'bodies.every-reading-tool',
      'workspaces.empty-refused',
      'workspaces.unreachable-refused',
      'unknown-tools.unknown-404',
    ],
  });

const proposingAs = (as: Other): Story =>
  story(`proposals as ${as}`, {
    needs: { ...toPropose, roles: ['primary', as] },
    steps: async (t) => {
      const { own, other, foreign } = await reachOf(t, as);
      if (own.board === undefined) return t.cannot(`no board of the key in the role '${as}' is known`);
      const usual: Args = { ...without(t.proposal(), 'workspace'), ...ifNeeded(as, own), board: own.board };
      const request = (args: Args): StoryRequest => ({ tool: 'images.generate', args: { ...usual, ...args }, as });
      await t.send('propose', request({}));
      if (!alwaysResolves(as)) await readUnnamed(t, as);
      if (as === 'ambiguous') {
        const refusal = await t.send('propose without a workspace', request({ workspace: undefined }));
        await nameListed(t, [refusal], as);
      }
      const nobodys = forUnknownBoard(t, request({}), `unknown board for ${as}`);
      await t.send('propose for a board that does not exist', nobodys);
      if (as === 'sole') await t.send('propose with a count that is a text', request({ count: String(usual.count) }));
      if (other?.board !== undefined)
        await t.send('propose for a board of the other workspace', request({ board: other.board }));
      if (as === 'pinned') return;
      if (other?.board !== undefined && alwaysResolves(as)) {
        await t.send('propose in the other workspace', request({ ...other, brief: briefFor(t, 'in turn') }));
        await readUnnamed(t, as);
        const first = request({ ...other, board: own.board });
        if (as === 'defaulted') await t.send('propose for a board of the first workspace in the second', first);
      }
      const abroad = foreign && { ...foreign, board: foreign.board ?? own.board };
      await inWrongWorkspaces(t, 'propose', request, abroad);
    },
    requirements: as === 'ambiguous' ? [refusesUnchosen('images.generate')] : as === 'sole' ? [worksWithout] : [],
    alsoTests: [
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      ...(alwaysResolves(as) ? [worksWithout.id] : []),
      ...(as === 'sole' ? [withinAccount.id] : []),
      'image-proposals.count-wrong-type-refused',
      'image-proposals.workspace-empty-refused',
      'image-proposals.workspace-unknown-refused',
      'image-proposals.workspace-unreachable-refused',
    ],
  });

const creatingAs = (as: Other): Story =>
  story(`content requests as ${as}`, {
    needs: { ...toWrite, roles: ['primary', as] },
    steps: async (t) => {
      const { own, other, foreign } = await reachOf(t, as);
      const title = titled(t, `as ${as}`);
      const usual = { title, workspace: undefined, ...ifNeeded(as, own) };
      const request = (args: Args) => creating(t, { ...usual, ...args }, { as });
      // A repeated refusal cannot come from a rule that declines occasional requests.
      const ways = alwaysResolves(as) ? [{}, {}, {}, { workspace: own.workspace }] : [{}];
      for (const change of ways) if (isSuccess(await t.send('create a content request', request(change)))) break;
      if (as === 'ambiguous') {
        await readUnnamed(t, as);
        const refusal = await t.send('create without naming a workspace', request({ workspace: undefined }));
        await nameListed(t, [refusal], as);
      }
      if (other !== undefined && (as === 'defaulted' || as === 'sole')) {
        const onlyOne = onlyTitled(t.deployment.runId, `of ${as}`);
        await t.send('create in the other workspace', request({ workspace: other.workspace, title: onlyOne }));
        await readUnnamed(t, as, 'content.status');
      }
      const tooLong = limits.title.most + 1;
      const long = titled(t, 'long ').padEnd(tooLong, 'x');
      await t.send(`create with a title of ${tooLong} characters`, request({ title: long }));
      // The keys alternate between the two errors; the second account sends both.
      const wrong = [{ format: 'reels' }, { tck_unknown: 'x' }];
      const some = as === 'otherAccount' ? wrong : wrong.slice(others.indexOf(as) % 2).slice(0, 1);
      for (const change of some) await t.send('create with unknown properties or values', request(change));
      if (as === 'pinned') return;
      await inWrongWorkspaces(t, 'create', request, foreign && { workspace: foreign.workspace });
    },
    requirements:
      as === 'ambiguous' ? [refusesUnchosen('content.create_request')] : as === 'sole' ? [sourceOfEachRung] : [],
    alsoTests: [
      'content-requests.title-too-long-refused',
      'content-requests.format-unknown-refused',
      'content-requests.unknown-property-refused',
      ...(alwaysResolves(as) ? [sourceOfEachRung.id] : []),
      ...(as === 'sole' ? [withinAccount.id] : []),
      'content-requests.workspace-empty-refused',
      'content-requests.workspace-unknown-refused',
      'content-requests.workspace-unreachable-refused',
    ],
  });

/** Sends valid and invalid requests with each key other than `primary`. */
export const asOthers: readonly Story[] = [readingAs, proposingAs, creatingAs].flatMap((storyAs) =>
  others.map(storyAs),
);

/** Proposes and confirms with one of the other keys, and presents invalid IDs with it. */
export const confirmingAsOther = story('a confirmation by another key', {
  needs: { ...toSpend, roles: [] },
  steps: async (t) => {
    for (const as of t.present(['sole', 'pinned', 'otherAccount', 'ambiguous', 'defaulted'])) {
      const { own } = await reachOf(t, as);
      if (own.board === undefined) continue;
      const place = { ...named(as, own), board: own.board };
      const change = { workspace: undefined, ...place, brief: briefFor(t, `as ${as}`) };
      const proposal = await propose(t, 'propose', change, { as });
      await t.send('present an ID that was never issued', { ...neverIssued(t, proposal), as });
      await t.send('confirm', { ...confirming(proposal, alwaysResolves(as) ? { workspace: undefined } : {}), as });
      await t.send('present the used ID', { ...confirming(proposal), as });
      await t.send('present an ID that was never issued again', { ...neverIssued(t, proposal), as });
      return;
    }
  },
  alsoTests: ['confirmations.used-invalid', 'confirmations.used-like-never-issued', 'confirmations.unnamed-workspace'],
});

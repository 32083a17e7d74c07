import type { Role } from '../../fixtures/roles.ts';
import type { Completed } from '../history/exchange.ts';
import { slugsIn } from '../rules/seen/choices.ts';
import { creating, titled } from './content.ts';
import { flow } from './flow.ts';
import { proposing } from './images.ts';
import { elsewhere, ownWorkspace, type Reading, readAll } from './read-all.ts';
import type { Steps } from './steps.ts';

/**
 * Slugs that are the names of members that every object has, or nearly nothing; by the tool that is asked with them.
 */
const oddSlugs: Readonly<Record<string, string>> = {
  'content.status': 'toString',
  'library.search': 'constructor',
  'knowledge.search': '__proto__',
  'connections.status': ' ',
};

/** A slug that no workspace has, for each tool. */
export function nameUnknown(t: Steps): (reading: Reading) => string {
  const { workspace, otherWorkspace, otherAccountWorkspace } = t.known;
  const known = [workspace, otherWorkspace, otherAccountWorkspace];
  return ({ asked }) => {
    const odd = oddSlugs[asked.tool];
    return odd === undefined || known.includes(odd) ? `tck-${t.text('unknown workspace')}` : odd;
  };
}

/** The most slugs of one refusal that are tried. */
const mostChoices = 10;

/** Names workspaces that refusals list, each once, by the key that they were listed to. */
export async function nameListed(
  t: Steps,
  refusals: readonly Completed[],
  as: Role,
  tried: Set<string> = new Set(),
): Promise<void> {
  for (const workspace of refusals.flatMap((refusal) => slugsIn(refusal).slice(0, mostChoices))) {
    if (tried.has(workspace)) continue;
    tried.add(workspace);
    await t.send('name a workspace that was listed', { tool: 'schedule.read', args: { workspace }, as });
  }
}

/** `workspace` that is no slug, the slug of no workspace, or that of a workspace of another account. */
export const wrongWorkspaces = flow(
  'workspaces that are out of reach',
  {
    lane: 'reading',
    witnesses: [
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'workspaces.empty-refused',
      'workspaces.wrong-type-refused',
      'headers.tool-error-on-unreachable',
    ],
  },
  async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    // A list of one slug is more tempting than a number, and what counts as false is there all the same.
    const listed = ['schedule.read', 'library.search', 'library.get'];
    const wrong = ({ asked }: Reading) => (listed.includes(asked.tool) ? [asked.args.workspace ?? 'main'] : 0);
    for (const asked of elsewhere(readings, () => '')) await t.send('name an empty workspace', asked);
    for (const asked of elsewhere(readings, wrong)) await t.send('name a workspace that is no string', asked);
    const { otherWorkspace } = t.known;
    if (otherWorkspace !== undefined) {
      await t.send('read in the other workspace', { tool: 'schedule.read', args: { workspace: otherWorkspace } });
    }
    for (const asked of elsewhere(readings, nameUnknown(t))) {
      await t.send('name a workspace that does not exist', { ...asked, invented: ['workspace'] });
    }
    const theirs = t.setting('otherAccountWorkspace');
    for (const asked of elsewhere(readings, () => theirs)) {
      await t.send("name another account's workspace", { ...asked });
    }
    if (!t.has('otherAccount') || t.known.workspace === undefined) return;
    const own = { tool: 'schedule.read', args: { workspace: theirs }, as: 'otherAccount' as const };
    await t.send('read as the other account', own);
    const here = { workspace: t.known.workspace };
    await t.send("name this account's workspace as the other account", { ...own, args: here });
  },
);

/** What the refusal of a workspace lists is tried. */
export const listedWorkspaces = flow(
  'workspaces that are listed where one is out of reach',
  { lane: 'reading', witnesses: ['workspaces.unreachable-lists-passable'] },
  async (t) => {
    const args = { workspace: `tck-${t.text('unknown workspace')}` };
    const unknown = { tool: 'schedule.read', args, invented: ['workspace'] };
    const refusal = await t.send('name a workspace that does not exist', unknown);
    await nameListed(t, [refusal], 'primary');
    const beyond = await beyondSole(t);
    if (beyond !== undefined) {
      const asked = { tool: 'schedule.read', args: { workspace: beyond }, as: 'sole' as const };
      const other = await t.send('name another workspace as sole', asked);
      await nameListed(t, [other], 'sole');
      if (slugsIn(other).length > 0) return;
    }
    if (slugsIn(refusal).length === 0) t.cannot('no refusal of an unreachable workspace lists workspaces');
  },
);

/** A workspace that the key in the role `sole` does not reach; undefined where none is known. */
async function beyondSole(t: Steps): Promise<string | undefined> {
  const own = t.has('sole') ? await ownWorkspace(t, 'sole') : undefined;
  const { workspace, otherWorkspace } = t.known;
  return own === undefined ? undefined : [workspace, otherWorkspace].find((slug) => slug !== undefined && slug !== own);
}

const beyond = async (t: Steps) =>
  (await beyondSole(t)) ?? t.cannot("no result for the key in the role 'sole' names its workspace");

const witnesses = ['workspaces.unreachable-within-account'] as const;

/** A key of one workspace asks for another one. */
export const beyondReach = flow(
  'a key of one workspace in another one',
  {
    lane: 'reading',
    needs: { roles: ['primary', 'sole'], settings: ['workspace', 'otherWorkspace'] },
    witnesses,
  },
  async (t) => {
    const workspace = await beyond(t);
    // What exists there, which another key has read.
    const readings = await readAll(t, 'read as primary', { workspace }, { once: true });
    for (const asked of elsewhere(readings, () => workspace)) {
      await t.send('ask for the same as sole', { ...asked, as: 'sole' });
    }
  },
);

export const creatingBeyondReach = flow(
  'content requests of a key of one workspace in another one',
  {
    lane: 'writing',
    needs: { roles: ['primary', 'sole'], effects: ['writes'], settings: ['workspace', 'otherWorkspace'] },
    uses: ['content'],
    witnesses,
  },
  async (t) => {
    const workspace = await beyond(t);
    await t.send('read there as primary', { tool: 'schedule.read', args: { workspace } });
    const title = titled(t, 'beyond reach');
    await t.send('create there as sole', creating(t, { workspace, title }, { as: 'sole' }));
  },
);

export const proposingBeyondReach = flow(
  'proposals of a key of one workspace in another one',
  {
    lane: 'images',
    needs: {
      roles: ['primary', 'sole'],
      effects: ['proposals'],
      settings: ['board', 'workspace', 'otherWorkspace', 'otherBoard'],
    },
    uses: ['proposal'],
    witnesses,
  },
  async (t) => {
    const workspace = await beyond(t);
    const board = workspace === t.known.workspace ? t.setting('board') : t.setting('otherBoard');
    const there = proposing(t, { workspace, board });
    await t.send('propose there as primary', there);
    await t.send('propose there as sole', { ...there, as: 'sole' });
  },
);

import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { body } from '../history/exchange.ts';
import { unknownKey } from '../session/credentials.ts';
import { flow } from './flow.ts';
import { elsewhere, ownWorkspace, type Reading, readAll } from './read-all.ts';
import { question } from './reading.ts';
import type { Asked, Steps } from './steps.ts';
import { nameUnknown } from './unreachable.ts';

/** Slugs that a workspace may be mistaken for: should one of them resolve at all, then not to it. */
function slugsLike(slug: string): string[] {
  const start = [...slug].slice(0, -1).join('');
  return [`${slug}x`, `${slug} `, start].filter((like) => like !== slug && like !== '');
}

/** Names a workspace where none is named: in headers and in the query. */
function namingOnTheSide(slug = ''): Partial<Asked> {
  if (!/^[\w-]+$/.test(slug)) return {};
  const headers = { 'x-workspace': slug, 'x-workspace-id': slug, 'x-workspace-slug': slug };
  return { headers, query: `workspace=${slug}&workspace_id=${slug}` };
}

/** Requests that name the workspace worked in, then the other one, then slugs that resemble it. */
export const namedWorkspaces = flow(
  'named workspaces',
  {
    lane: 'reading',
    witnesses: [
      'workspaces.result-names-workspace',
      'workspaces.working-in-present',
      'workspaces.working-in-agrees',
      'workspaces.source-known',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.source-call-override',
    ],
  },
  async (t) => {
    const own = await ownWorkspace(t, 'primary');
    const here = t.known.workspace ?? own ?? t.cannot('no workspace is known that a request could name');
    const there = t.known.otherWorkspace;
    const readings = await readAll(t, 'read here', { workspace: here }, { once: true });
    await t.part(async () => {
      const others = await readAll(t, 'read there', { workspace: t.setting('otherWorkspace') }, { once: true });
      await t.sendAll('read here and there at one moment, with several keys', sideBySide(t, readings, others));
    });
    for (const workspace of slugsLike(here)) {
      await t.send('read in a workspace of a similar name', { tool: 'schedule.read', args: { workspace } });
    }
    // A key with a default, or with one workspace only, may prefer its own to the argument.
    for (const as of (['defaulted', 'sole'] as const).filter((role) => t.has(role))) {
      for (const workspace of new Set([await ownWorkspace(t, as), here, there])) {
        if (workspace === undefined) continue;
        const asked = { tool: 'schedule.read', args: { workspace }, as };
        await t.send(`name a workspace as ${as}`, workspace === here ? { ...asked, ...namingOnTheSide(there) } : asked);
      }
    }
  },
);

/** The same requests in both workspaces, with others between them: none of them says anything about its neighbours. */
function sideBySide(t: Steps, here: readonly Reading[], there: readonly Reading[]): Asked[] {
  const pairs = here.flatMap(({ asked }, index) => {
    const other = there[index]?.asked;
    const words = asked.tool === 'knowledge.search' ? { query: `${question} Now?` } : {};
    return [asked, ...(other === undefined ? [] : [{ ...other, args: { ...other.args, ...words } }])];
  });
  const roles = (['defaulted', 'pinned', 'sole', 'ambiguous', 'otherAccount'] as const).filter((role) => t.has(role));
  const read = { tool: 'schedule.read', args: {} };
  const unknown = unknownKey(t.key('primary'), t.text('unknown key beside good ones', 32));
  const bad = [read, { tool: 'credits.balance', args: {} }].map((asked) => ({ ...asked, as: unknown }));
  return [...pairs, ...bad, ...roles.map((as) => ({ ...read, as }))];
}

/** A key that resolves by itself reads without naming a workspace, and names one that does not exist. */
function byItself(role: Role, witness: RequirementId) {
  return flow(`reading as ${role}`, { lane: 'reading', needs: { roles: [role] }, witnesses: [witness] }, async (t) => {
    const readings = await readAll(t, 'read without naming a workspace', {}, { as: role });
    if (role === 'pinned')
      await nameAnother(t, role, body(readings[0]?.exchange ?? t.cannot('nothing was read')).workspace);
    for (const asked of elsewhere(readings, nameUnknown(t))) {
      // What a pinned key does with an argument may be another thing with each tool.
      if (role === 'pinned' && asked.tool !== 'schedule.read') continue;
      await t.send('name a workspace that does not exist', { ...asked, invented: ['workspace'] });
    }
    if (role !== 'sole')
      await switchBack(t, role, body(readings[0]?.exchange ?? t.cannot('nothing was read')).workspace);
    const tells = readings.some(({ exchange }) => sourceIn(body(exchange).working_in));
    const what = 'a source in working_in';
    if (!tells) t.cannot('no result for this key has a source in working_in', { kind: 'data', what });
  });
}

/** Whatever was named before, a request that names no workspace runs where it did. */
async function switchBack(t: Steps, as: Role, own: unknown): Promise<void> {
  const workspace = [t.known.workspace, t.known.otherWorkspace].find((slug) => slug !== undefined && slug !== own);
  if (workspace === undefined) return;
  await readAll(t, 'read in another workspace', { workspace }, { as });
  await t.send('read without naming a workspace again', { tool: 'schedule.read', args: {}, as });
}

const sourceIn = (value: unknown) => typeof value === 'object' && value !== null && 'source' in value;

/** Shows whether a pinned key listens when a request names another workspace. */
async function nameAnother(t: Steps, as: Role, own: unknown): Promise<void> {
  const workspace = [t.known.workspace, t.known.otherWorkspace].find((slug) => slug !== undefined && slug !== own);
  if (workspace === undefined) return;
  await t.send('name another workspace', { tool: 'schedule.read', args: { workspace }, as });
}

export const readingAsPinned = byItself('pinned', 'workspaces.source-key-pin');
export const readingAsDefaulted = byItself('defaulted', 'workspaces.source-stored-default');
export const readingAsSole = byItself('sole', 'workspaces.source-sole-reachable');

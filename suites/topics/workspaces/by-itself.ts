import type { Source } from '../../../fixtures/contract/enums.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, isSuccess, precedes } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import type { KitFinding } from '../../model/finding.ts';
import { differing, type Judging, row, type Sentence } from '../../model/row.ts';
import { promisedBy } from '../../model/rule.ts';
import { isPlain, isWorkspaceRefusal } from '../../model/world/plain.ts';
import type { Seen } from '../../model/world/seen.ts';
import { elsewhere, otherThan, readAll } from '../requests/library.ts';
import type { Steps } from '../steps.ts';
import { type Story, story } from '../story.ts';
import { nameListed } from './ambiguous.ts';
import { isScoped, reads, requestedWorkspace, sourceHint, sourceIs, sourceOf } from './named-workspaces.ts';
import { nameUnknown, withinAccount } from './wrong-workspaces.ts';

/** Returns a finding if the key moved to a workspace that an earlier request named. */
function movedAway(exchange: Completed, seen: Seen): KitFinding | undefined {
  const { role } = exchange.sender;
  const first = seen.places.firstOwn(role, exchange.request.tool);
  const { workspace } = body(exchange);
  if (first === undefined || typeof workspace !== 'string' || body(first).workspace === workspace) return undefined;
  if (!precedes(first, exchange) || !seen.places.wasNamed(role, workspace)) return undefined;
  return {
    at: { member: ['workspace'] },
    want: { oneOf: [body(first).workspace] },
    got: workspace,
    expected: `workspace ${brief(body(first).workspace)}, as before without an argument`,
    actual: `workspace ${brief(workspace)}, which an earlier request named`,
    hint: 'Use the workspace argument only for the request that contains it; do not store it.',
    exchanges: [first, exchange],
  };
}

/** Every tool resolves the workspace of this role without the argument, and reports this source. */
function rung(role: Role, source: Source): Judging {
  const hint = sourceHint(`of the key in the role '${role}'`);
  return {
    applies: (exchange) =>
      exchange.sender.role === role &&
      exchange.sender.kind === 'key' &&
      requestedWorkspace(exchange) === undefined &&
      (isScoped(exchange)
        ? sourceOf(exchange) !== undefined
        : reads(exchange) && isPlain(exchange) && exchange.request.body !== null && isWorkspaceRefusal(exchange)),
    twin: (exchange, seen) => {
      const { tool } = exchange.request;
      return isSuccess(exchange) || seen.places.worksNamed(tool) || promisedBy(tool);
    },
    expect: (exchange, _, seen) => {
      if (isSuccess(exchange)) return differing(exchange, [sourceIs(source)], hint) ?? movedAway(exchange, seen);
      return {
        expected: `${exchange.request.tool} to work without the workspace argument, with the source ${brief(source)}`,
        hint: hint(exchange),
      };
    },
  };
}

/** Builds a story that reads without the argument, and with a workspace that does not exist. */
function byItself(role: Role, source: Source, requirement: Sentence): Story {
  return story(`reading as ${role}`, {
    needs: { roles: [role] },
    steps: async (t) => {
      const readings = await readAll(t, 'read without naming a workspace', {}, { as: role });
      if (role === 'pinned')
        await nameAnother(t, role, body(readings[0]?.exchange ?? t.cannot('nothing was read')).workspace);
      for (const asked of elsewhere(readings, nameUnknown(t))) {
        // Each tool may treat the argument of a pinned key differently.
        if (role === 'pinned' && asked.tool !== 'schedule.read') continue;
        await t.send('request a workspace that does not exist', { ...asked, invented: ['workspace'] });
      }
      const own = body(readings[0]?.exchange ?? t.cannot('nothing was read')).workspace;
      if (role === 'sole') await t.part(() => readBeyond(t, role, own));
      else await switchBack(t, role, own);
      const tells = readings.some(({ exchange }) => sourceIn(body(exchange).working_in));
      const what = 'a source in working_in';
      if (!tells) t.cannot('no result for this key has a source in working_in', { kind: 'data', what });
    },
    requirements: [
      row(`workspaces.source-${source}`, { ...requirement, ...rung(role, source) }),
      ...(role === 'sole' ? [withinAccount] : []),
    ],
    alsoTests: role === 'sole' ? ['workspaces.unreachable-lists-passable'] : [],
  });
}

/** Names another workspace, and then checks that a request without the argument still runs in the original one. */
async function switchBack(t: Steps, as: Role, own: unknown): Promise<void> {
  const workspace = otherThan(own, t);
  if (workspace === undefined) return;
  await readAll(t, 'read in another workspace', { workspace }, { as });
  await t.send('read without naming a workspace again', { tool: 'schedule.read', args: {}, as });
}

/** Names a workspace that the key does not reach, for items that `primary` has read there. */
async function readBeyond(t: Steps, as: Role, own: unknown): Promise<void> {
  t.key('primary');
  const workspace = otherThan(own, t) ?? t.setting('otherWorkspace');
  const readings = await readAll(t, 'read as primary', { workspace }, { once: true });
  const refusals: Completed[] = [];
  for (const asked of elsewhere(readings, () => workspace))
    refusals.push(await t.send('send the same request in another workspace', { ...asked, as }));
  await nameListed(t, refusals, as);
}

const sourceIn = (value: unknown) => typeof value === 'object' && value !== null && 'source' in value;

/** Shows whether a pinned key honors the argument. */
async function nameAnother(t: Steps, as: Role, own: unknown): Promise<void> {
  const workspace = otherThan(own, t);
  if (workspace === undefined) return;
  await t.send('request another workspace', { tool: 'schedule.read', args: { workspace }, as });
}

export const readingAsPinned = byItself('pinned', 'key-pin', {
  must:
    'If a request names no workspace, the server MUST use the pinned workspace of the key, ' +
    'with the source `key-pin`.',
  source: 'Authentication, 6; working_in object, source',
  severity: 'data-isolation',
});

export const readingAsDefaulted = byItself('defaulted', 'stored-default', {
  must:
    'If neither an argument nor a pin selects a workspace, the server MUST use the stored default, with the source ' +
    '`stored-default`.',
  source: 'Authentication, 6; working_in object, source',
});

export const readingAsSole = byItself('sole', 'sole-reachable', {
  must:
    'If a request names no workspace and its key reaches only one, the server MUST use that workspace, with the ' +
    'source `sole-reachable`.',
  source: 'Authentication, 6; working_in object, source',
});

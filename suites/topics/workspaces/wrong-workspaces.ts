import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Source } from '../../../fixtures/contract/enums.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { readingTools } from '../../../fixtures/contract/tools.ts';
import type { Severity } from '../../../fixtures/requirements/model.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, header, isRefusal, isSuccess, precedes } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { check, is } from '../../model/answers.ts';
import { type KitFinding, placeInWords } from '../../model/finding.ts';
import { type Judging, promisedBy, row, sameRequest } from '../../model/rule.ts';
import { isDispatch } from '../../model/world/ids.ts';
import { slugsIn } from '../../model/world/places.ts';
import { isPlain, isWorkspaceRefusal } from '../../model/world/plain.ts';
import { knowsHeaders, normalizedSlug } from '../../model/world/scope.ts';
import type { Seen } from '../../model/world/seen.ts';
import { isValid } from '../../model/world/violations.ts';
import { isKnown } from '../deployment.ts';
import { elsewhere, type Reading, readAll } from '../requests/library.ts';
import { isUsual, keysInTurn, resembling } from '../requests/mutations.ts';
import { otherThan } from '../requests/places.ts';
import type { Steps } from '../steps.ts';
import { type Story, story } from '../story.ts';
import { choicesWork, nameListed } from './ambiguous.ts';
import { isScoped, reads, requestedWorkspace, sourceHint, sourceIs, sourceOf } from './named-workspaces.ts';
import { hasWorked, namesForeign, namesUnknown, refusesInaccessible } from './reach.ts';

const toolErrorHeader = row('headers.tool-error-on-unreachable', {
  must: `The server MUST send \`${responseHeaders.toolError}: true\` when it refuses an unreachable workspace.`,
  source: `Response headers, ${responseHeaders.toolError}`,
  // If the server refuses the arguments, both values are correct.
  applies: (exchange, seen) =>
    knowsHeaders(exchange, seen) &&
    exchange.sender.kind === 'key' &&
    isRefusal(exchange) &&
    !isRefusal(exchange, refusalCodes.invalidArguments) &&
    isValid(exchange) &&
    (namesUnknown(exchange) || namesForeign(exchange, seen)),
  // If a pinned key stays in its workspace, the tool may refuse for another reason.
  control: (exchange, seen) =>
    header(exchange, responseHeaders.toolError) === 'true' ||
    (!seen.houseRules.declined(exchange, seen.successes) &&
      !seen.places.mayStay(exchange.sender.role, exchange.request.tool)) ||
    'workspaces.argument-honoured',
  answers: [{ at: { header: responseHeaders.toolError }, want: { oneOf: ['true'] } }],
  hint: 'Send true: the boundary refuses the workspace before any tool runs.',
});

/** By tool: a slug that equals an inherited member of objects, or is white space. */
const oddSlugs: Readonly<Record<string, string>> = {
  'content.status': 'toString',
  'library.search': 'constructor',
  'knowledge.search': '__proto__',
  'connections.status': ' ',
};

/** Returns a slug of no workspace for each tool. */
const nameUnknown =
  (t: Steps) =>
  ({ asked }: Reading): string => {
    const odd = oddSlugs[asked.tool];
    return odd === undefined || isKnown(t.deployment, odd) ? t.unknownWorkspace() : odd;
  };

export const wrongWorkspaces = story('inaccessible workspaces', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here());
    for (const args of t.elsewhere) await t.sendOnce('read in the other workspace', { tool: 'schedule.read', args });
    const refusals: Completed[] = [];
    for (const asked of elsewhere(readings, nameUnknown(t)))
      refusals.push(await t.send('request a workspace that does not exist', { ...asked, invented: ['workspace'] }));
    await nameListed(t, refusals, 'primary');
    await t.part(async () => {
      if (refusals.every((refusal) => slugsIn(refusal).length === 0))
        t.cannot('no refusal of an unreachable workspace lists workspaces');
    });
    const theirs = t.setting('otherAccountWorkspace');
    for (const asked of elsewhere(readings, () => theirs)) {
      await t.send("request another account's workspace", { ...asked });
    }
    if (!t.has('otherAccount') || t.deployment.workspace === undefined) return;
    const own = { tool: 'schedule.read', args: { workspace: theirs }, as: 'otherAccount' as const };
    await t.sendOnce('read as the other account', own);
    const here = { workspace: t.deployment.workspace };
    await t.send("name this account's workspace as the other account", { ...own, args: here });
  },
  requirements: [
    ...refusesInaccessible('workspaces', ...readingTools),
    row('workspaces.unreachable-lists-passable', {
      must: 'The server MUST list only slugs of reachable workspaces when it refuses an unreachable one.',
      source: 'Error envelopes, tool refusal, workspaces',
      severity: 'data-isolation',
      ...choicesWork('unreachable'),
    }),
    toolErrorHeader,
  ],
});

export const lenientWorkspaces = story('workspaces that lenient look-ups find', {
  steps: async (t) => {
    const { workspace } = t.deployment;
    if (workspace === undefined) return;
    const readings = (await readAll(t, 'read', t.here())).filter(({ exchange }) => isSuccess(exchange));
    const first = t.turn('tools of similar slugs');
    const keyOf = keysInTurn(t);
    // Observing stories cover white space and case.
    const others = ['*', '%', ...resembling(t, 'slugs', workspace)].filter(
      (slug) => normalizedSlug(slug) !== normalizedSlug(workspace) && !isKnown(t.deployment, slug),
    );
    for (const [index, slug] of others.entries()) {
      const reading = readings[(first + index) % readings.length];
      if (reading === undefined) continue;
      const { tool, args } = reading.asked;
      const asked = { tool, args: { ...args, workspace: slug }, as: keyOf(index, tool) };
      await t.send('request a similar slug', { ...asked, invented: isUsual(slug) ? [] : ['workspace'] });
    }
  },
  alsoTests: ['workspaces.unknown-refused'],
});

export const withinAccount = row('workspaces.unreachable-within-account', {
  must: 'If a key reaches only one workspace, the server MUST refuse every other workspace.',
  source: 'Authentication, 3 and 6; What the service does, rule 2',
  severity: 'data-isolation',
  applies: (exchange, seen) => {
    const { sender, request, invented } = exchange;
    const [own, workspace] = [seen.places.own(sender.role), request.args?.workspace];
    if (sender.role !== 'sole' || sender.kind !== 'key' || own === undefined || typeof workspace !== 'string')
      return false;
    const isOther = workspace.toLowerCase() !== own.toLowerCase() && !seen.places.isTold(sender.role, workspace);
    if (!seen.knowledge.complete) return false;
    const judgeable = invented.length === 0 && (isSuccess(exchange) || isRefusal(exchange));
    // The refusal of an ID shows nothing about the workspace.
    const isPresented = request.args?.confirmation_id !== undefined && !isDispatch(exchange);
    return isOther && judgeable && isValid(exchange) && !isPresented;
  },
  // The control is the same request with a key that reaches the workspace.
  control: (exchange, seen) => {
    const { tool, args } = exchange.request;
    const isThere = seen.places.reaches('primary', String(args?.workspace));
    const except = tool === 'content.create_request' ? ['workspace'] : [];
    if (isSuccess(exchange)) return true;
    return isThere ? sameRequest(exchange, seen, { role: 'primary', except }) : promisedBy(tool);
  },
  expect: (exchange) =>
    isSuccess(exchange) && {
      expected: `${exchange.request.tool} to refuse a workspace that the key in the role 'sole' does not reach`,
    },
  hint: 'Check in every tool whether the holder of the key is a member of the requested workspace.',
});

/** Returns a finding if the key moved to a workspace that an earlier request named. */
function movedAway(exchange: Completed, seen: Seen): KitFinding | undefined {
  const { sender, request } = exchange;
  const first = seen.places.firstOwn(sender.role, request.tool);
  const { workspace } = body(exchange);
  const isNamed = seen.places.wasNamed(sender.role, String(workspace));
  if (first === undefined || !precedes(first, exchange) || !isNamed) return undefined;
  const expected = `workspace ${brief(body(first).workspace)}, as before without an argument`;
  const actual = `workspace ${brief(workspace)}, which an earlier request named`;
  const finding = check([is('workspace', body(first).workspace)], exchange);
  return finding && { ...finding, expected, actual, exchanges: [first, exchange] };
}

/** Every tool resolves the workspace of this role without the argument, and reports this source. */
function rung(role: Role, source: Source): Judging {
  return {
    applies: (exchange) =>
      exchange.sender.role === role &&
      exchange.sender.kind === 'key' &&
      requestedWorkspace(exchange) === undefined &&
      (isScoped(exchange)
        ? sourceOf(exchange) !== undefined
        : reads(exchange) && isPlain(exchange) && exchange.request.body !== null && isWorkspaceRefusal(exchange)),
    control: hasWorked,
    expect: (exchange, _, seen) => {
      if (isSuccess(exchange)) return check([sourceIs(source)], exchange) ?? movedAway(exchange, seen);
      const { tool } = exchange.request;
      return { expected: `${tool} to work without the workspace argument, with the source ${brief(source)}` };
    },
    hint: (exchange, { at }) =>
      placeInWords(at) === 'body workspace'
        ? 'Use the workspace argument only for the request that contains it; do not store it.'
        : sourceHint(`of the key in the role '${role}'`)(exchange),
  };
}

/** Builds a story that reads without the argument, and with a workspace that does not exist. */
function byItself(role: Role, source: Source, sentence: { must: string; severity?: Severity }): Story {
  return story(`reading as ${role}`, {
    needs: { roles: [role] },
    steps: async (t) => {
      const readings = await readAll(t, 'read without naming a workspace', {}, role);
      const own = body(readings[0]?.exchange ?? t.cannot('nothing was read')).workspace;
      for (const asked of elsewhere(readings, nameUnknown(t))) {
        // Each tool may treat the argument of a pinned key differently. The key `sole` names an existing one below.
        if (role !== 'defaulted' && asked.tool !== 'schedule.read') continue;
        await t.send('request a workspace that does not exist', { ...asked, invented: ['workspace'] });
      }
      if (role === 'sole') await t.part(() => readBeyond(t, role, own));
      else await switchBack(t, role, own);
      const tells = readings.some(({ exchange }) => sourceOf(exchange) !== undefined);
      const what = 'a source in working_in';
      if (!tells) t.cannot('no result for this key has a source in working_in', { kind: 'data', what });
    },
    requirements: [
      row(`workspaces.source-${source}`, {
        ...sentence,
        source: 'Authentication, 6; working_in object, source',
        ...rung(role, source),
      }),
      ...(role === 'sole' ? [withinAccount] : []),
    ],
    alsoTests: role === 'sole' ? ['workspaces.unreachable-lists-passable'] : [],
  });
}

/** Names another workspace, and then checks that a request without the argument still runs in the original one. */
async function switchBack(t: Steps, as: Role, own: unknown): Promise<void> {
  const workspace = otherThan(own, t);
  if (workspace === undefined) return;
  if (as === 'pinned') await t.send('request another workspace', { tool: 'schedule.read', args: { workspace }, as });
  else await readAll(t, 'read in another workspace', { workspace }, as);
  await t.send('read without naming a workspace again', { tool: 'schedule.read', args: {}, as });
}

/** Names a workspace that the key does not reach, for items that `primary` has read there. */
async function readBeyond(t: Steps, as: Role, own: unknown): Promise<void> {
  t.key('primary');
  const workspace = otherThan(own, t) ?? t.setting('otherWorkspace');
  const readings = await readAll(t, 'read as primary', { workspace });
  const refusals: Completed[] = [];
  for (const asked of elsewhere(readings, () => workspace))
    refusals.push(await t.send('send the same request in another workspace', { ...asked, as }));
  await nameListed(t, refusals, as);
}

/** How keys resolve to a workspace without the argument. */
export const readingByItself: readonly Story[] = [
  byItself('pinned', 'key-pin', {
    must: 'If a request names no workspace, the server MUST use the pinned workspace, with the source `key-pin`.',
    severity: 'data-isolation',
  }),
  byItself('defaulted', 'stored-default', {
    must:
      'If neither an argument nor a pin selects a workspace, the server MUST use the stored default, with the source ' +
      '`stored-default`.',
  }),
  byItself('sole', 'sole-reachable', {
    must:
      'If a request names no workspace and its key reaches only one, the server MUST use that workspace, with the ' +
      'source `sole-reachable`.',
  }),
];

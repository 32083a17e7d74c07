import { type Source, sources } from '../../../fixtures/contract/enums.ts';
import { readingTools } from '../../../fixtures/contract/tools.ts';
import { body, type Completed, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { member } from '../../json.ts';
import { type Answers, has, is, success } from '../../model/answers.ts';
import { type Control, promisedBy, row } from '../../model/rule.ts';
import { isDispatch } from '../../model/world/ids.ts';
import { isPlain, isWorkspaceRefusal } from '../../model/world/plain.ts';
import { runsInWorkspace } from '../../model/world/scope.ts';
import type { Seen } from '../../model/world/seen.ts';
import { unknownKey } from '../authentication/made-credentials.ts';
import { question, type Reading, readAll } from '../requests/library.ts';
import { ownWorkspace } from '../requests/places.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { hasWorked, inReach, isElsewhere, namesForeign } from './reach.ts';

export const reads = ({ request }: Completed) => readingTools.some((tool) => tool === request.tool);

/** Whether an exchange is a successful result of a tool that runs in a workspace. */
export const isScoped = (exchange: Completed) => isSuccess(exchange) && runsInWorkspace(exchange);

const workingIn = (exchange: Completed) => body(exchange).working_in;

export const sourceOf = (exchange: Completed) => member(workingIn(exchange), 'source');

export const requestedWorkspace = ({ request }: Completed) => request.args?.workspace;

const namesOne = (exchange: Completed) =>
  typeof requestedWorkspace(exchange) === 'string' && exchange.sender.kind === 'key';

/** Control: evidence that the key is not pinned, because a pinned key may stay in its workspace. */
const unlessPinned = ({ sender, request }: Completed, seen: Seen): Control =>
  !seen.places.mayStay(sender.role, request.tool) || 'workspaces.argument-honoured-every-tool';

/** Allows a success, in the requested workspace. */
export const inRequested = (exchange: Completed): Answers => [
  success,
  ...(isElsewhere(exchange) ? [is('workspace', requestedWorkspace(exchange))] : []),
];

const otherPlaceHint = ({ request }: Completed) =>
  `${request.tool}: use the workspace of the argument, not a default, a cache or an earlier request.`;

/** Whether an exchange is a refusal, although the key may reach the workspace and the item exists there. */
function mayRun(exchange: Completed, seen: Seen): boolean {
  const { tool } = exchange.request;
  const isThere = tool !== 'library.get' || seen.items.isFound(exchange, String(requestedWorkspace(exchange)));
  return isRefusal(exchange) && isThere && !namesForeign(exchange, seen);
}

export const sourceIs = (source: Source) => is('working_in.source', source);

export const sourceHint = (when: string) => (exchange: Completed) =>
  `Check how ${exchange.request.tool} resolves the workspace ${when}, and the source that it sends.`;

/** Returns slugs that a server may confuse with this one. They must not resolve to its workspace. */
function slugsLike(slug: string): string[] {
  const start = [...slug].slice(0, -1).join('');
  return [`${slug}x`, `${slug} `, start].filter((like) => like !== slug && like !== '');
}

/** Returns headers and a query that name a workspace. The server must ignore them. */
export function namingOnTheSide(slug = ''): Partial<StoryRequest> {
  if (!/^[\w-]+$/.test(slug)) return {};
  const names = ['x-workspace', 'x-workspace-id', 'x-workspace-slug', 'x-tenant', 'x-tenant-id'];
  const headers = Object.fromEntries([...names.map((name) => [name, slug]), ['cookie', `workspace=${slug}`]]);
  return { headers, query: `workspace=${slug}&workspace_id=${slug}` };
}

/** Names the default workspace, the other one, and similar slugs. */
export const namedWorkspaces = story('named workspaces', {
  steps: async (t) => {
    const own = await ownWorkspace(t, 'primary');
    const here = t.deployment.workspace ?? own ?? t.cannot('no workspace is known that a request could name');
    const there = t.deployment.otherWorkspace;
    const readings = await readAll(t, 'read here', { workspace: here });
    await t.part(async () => {
      const others = await readAll(t, 'read in the other workspace', { workspace: t.setting('otherWorkspace') });
      await t.sendInParallel('read two workspaces simultaneously with several keys', sideBySide(t, readings, others));
    });
    for (const workspace of slugsLike(here)) {
      await t.send('read in a workspace with a similar name', { tool: 'schedule.read', args: { workspace } });
    }
    // A key with a default, or with a single workspace, may ignore the argument.
    for (const as of t.present(['defaulted', 'sole'])) {
      for (const workspace of new Set([await ownWorkspace(t, as), here, there])) {
        if (workspace === undefined) continue;
        const beside = workspace === here ? namingOnTheSide(there) : {};
        const asked: StoryRequest = { tool: 'schedule.read', args: { workspace }, as, ...beside };
        await t.send(`request a workspace as ${as}`, asked);
      }
    }
  },
  requirements: [
    row('workspaces.result-names-workspace', {
      must: 'The server MUST send the string `workspace` in every successful result of a workspace-scoped tool.',
      source: 'What the service does, rule 3; working_in object',
      applies: isScoped,
      answers: [has('workspace', 'text')],
      hint: 'Send the slug of the workspace in every result of a workspace-scoped tool.',
    }),
    row('workspaces.working-in-present', {
      must: 'The server MUST send `working_in` with `label` and `note` in every successful workspace-scoped result.',
      source: 'What the service does, rule 3; working_in object',
      applies: (exchange) => isScoped(exchange) && !isDispatch(exchange),
      answers: ['label', 'note'].map((member) => has(`working_in.${member}`, { type: 'string' })),
      hint: ({ request }) => `Add working_in with label and note to the results of ${request.tool}.`,
    }),
    row('workspaces.working-in-agrees', {
      must: 'If a result has `working_in.workspace`, the server MUST send the same slug there as in `workspace`.',
      source: 'What the service does, rule 3; working_in object',
      applies: (exchange) =>
        isScoped(exchange) &&
        member(workingIn(exchange), 'workspace') !== undefined &&
        body(exchange).workspace !== undefined,
      answers: (exchange) => [is('working_in.workspace', body(exchange).workspace)],
      hint: 'Set workspace and working_in.workspace from the workspace in which the tool runs.',
    }),
    row('workspaces.source-known', {
      must: 'If a result has `working_in.source`, the server MUST send one of the four documented values.',
      source: 'working_in object, source',
      applies: (exchange) => isScoped(exchange) && sourceOf(exchange) !== undefined,
      answers: [has('working_in.source', { oneOf: sources })],
      hint: 'Send the one of these four values that says how the workspace was resolved.',
    }),
    row('workspaces.argument-honoured', {
      must: 'The server MUST name the requested workspace in the result.',
      source: 'What the service does, rules 2 and 3',
      severity: 'data-isolation',
      applies: (exchange, seen) =>
        namesOne(exchange) &&
        (isScoped(exchange)
          ? body(exchange).workspace !== undefined
          : isWorkspaceRefusal(exchange) && requestedWorkspace(exchange) === seen.places.own(exchange.sender.role)),
      control: (exchange, seen) => {
        if (isElsewhere(exchange) && isSuccess(exchange)) {
          // The specification does not define the `workspace` argument for pinned keys.
          const isPinned = exchange.sender.role === 'pinned';
          return isPinned ? 'workspaces.argument-honoured-every-tool' : unlessPinned(exchange, seen);
        }
        return hasWorked(exchange, seen);
      },
      answers: inRequested,
      hint: (exchange, { at }) =>
        at === 'response'
          ? 'Accept this slug: without the argument, the key works in the same workspace.'
          : otherPlaceHint(exchange),
    }),
    row('workspaces.argument-honoured-every-tool', {
      must: 'The server MUST run every tool that only reads in the requested workspace, not in a default one.',
      source: 'What the service does, rules 2 and 3; Endpoints, first paragraph',
      severity: 'data-isolation',
      applies: (exchange, seen) =>
        reads(exchange) &&
        namesOne(exchange) &&
        isPlain(exchange) &&
        exchange.invented.length === 0 &&
        exchange.sender.role !== 'sole' &&
        requestedWorkspace(exchange) !== seen.places.own(exchange.sender.role) &&
        (isSuccess(exchange) ? body(exchange).workspace !== undefined : mayRun(exchange, seen)),
      control: (exchange, seen) => {
        const { sender, request } = exchange;
        const reached = seen.places.reaches(sender.role, String(requestedWorkspace(exchange)), request.tool);
        const isDecided = isSuccess(exchange)
          ? !isElsewhere(exchange) || (reached && !seen.places.mayStay(sender.role, request.tool))
          : reached &&
            seen.places.worksNamed(request.tool, requestedWorkspace(exchange)) &&
            inReach(exchange, seen) === true;
        return isDecided || promisedBy(request.tool);
      },
      answers: inRequested,
      hint: (exchange, { at }) =>
        at === 'response'
          ? `Use the workspace argument in ${exchange.request.tool}, as in the other tools.`
          : otherPlaceHint(exchange),
    }),
    row('workspaces.source-call-override', {
      must: 'The server MUST send the source `call-override` if the `workspace` argument selects the workspace.',
      source: 'Authentication, 6; working_in object, source',
      applies: (exchange) =>
        isScoped(exchange) &&
        namesOne(exchange) &&
        sourceOf(exchange) !== undefined &&
        // Keys of other roles may be pinned.
        ['primary', 'ambiguous', 'defaulted', 'sole'].some((role) => role === exchange.sender.role),
      control: unlessPinned,
      answers: [sourceIs('call-override')],
      hint: sourceHint('if the request names one'),
    }),
  ],
});

/**
 * Returns requests in both workspaces, alternating and with other keys, to detect responses that depend on neighbors.
 */
function sideBySide(t: Steps, here: readonly Reading[], there: readonly Reading[]): StoryRequest[] {
  const pairs = here.flatMap(({ asked }, index) => {
    const other = there[index]?.asked;
    const words = asked.tool === 'knowledge.search' ? { query: `${question} Now?` } : {};
    return [asked, ...(other === undefined ? [] : [{ ...other, args: { ...other.args, ...words } }])];
  });
  const roles = t.present(['defaulted', 'pinned', 'sole', 'ambiguous', 'otherAccount']);
  const read = { tool: 'schedule.read', args: {} };
  const unknown = unknownKey(t.key('primary'), t.text('unknown key beside good ones', 32));
  const bad = [read, { tool: 'credits.balance', args: {} }].map((asked) => ({ ...asked, as: unknown }));
  return [...pairs, ...bad, ...roles.map((as) => ({ ...read, as }))];
}

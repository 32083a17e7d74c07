import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { check, type Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { carries, describeAnswer, refuses, succeeds } from '../expect/answers.ts';
import { invalidField } from '../expect/issues.ts';
import type { Verdict } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { aRequest, controlCreated, writes } from '../scenes/content.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { controlReadings, controlWorks, plainArguments, type readingTools, works } from '../scenes/reading.ts';
import { ambiguous } from '../scenes/refusals.ts';

/** The most slugs of an ambiguous refusal that are tried. */
const mostChoices = 10;

const ambiguousHint =
  'with several workspaces in reach and neither argument, pin nor default, refuse and list them; never pick one';

/** A tool that reads refuses while nothing chooses a workspace, and works once the call names one. */
function ambiguousReading(requirement: RequirementId, tool: (typeof readingTools)[number]) {
  return check({
    requirement,
    needs: { roles: ['ambiguous'] },
    async run(t) {
      const workspace = await aChoice(t);
      await controlWorks(t, tool);
      const named = await plainArguments(t, tool, { workspace }, 'ambiguous');
      if (tool === 'content.status' && named === undefined) {
        t.cannot('arguments of content.status are not shown', { kind: 'data', what: 'arguments of content.status' });
      }
      const { workspace: _, ...args } = named ?? { workspace, kind: 'post', id: '1' };
      t.expect(
        refuses(await t.call(tool, args, { as: 'ambiguous' }), 'workspace_ambiguous', `${tool}: ${ambiguousHint}`),
      );
    },
  });
}

/** A workspace that the ambiguous key may choose, tried. */
async function aChoice(t: Context): Promise<string> {
  const refusal = await ambiguous(t);
  const listed = body(refusal).workspaces;
  const workspace = Array.isArray(listed) && typeof listed[0] === 'string' ? listed[0] : t.ground.workspace;
  if (workspace === undefined) return t.cannot('no workspace is known that this key could choose');
  const tool = (await works(t, 'connections.status')) ? 'connections.status' : 'schedule.read';
  const chosen = await t.call(tool, { workspace }, { as: 'ambiguous' });
  if (!isSuccess(chosen) && workspace === t.ground.workspace)
    t.cannot('no workspace is known that this key could choose');
  t.control(
    'workspaces.ambiguous-choices-work',
    succeeds(chosen, 'a choice that is listed has to work: list slugs, and only those that the key reaches'),
  );
  return workspace;
}

/** Same, for a tool that changes something; the call is a good one apart from the workspace that it does not name. */
function ambiguousChanging(
  requirement: RequirementId,
  needs: Needs,
  argsOf: (t: Context) => Promise<Args>,
  tool: 'content.create_request' | 'images.generate',
) {
  return check({
    requirement,
    needs: { ...needs, roles: ['primary', 'ambiguous'] },
    async run(t) {
      await aChoice(t);
      const { workspace: _, ...args } = await argsOf(t);
      t.expect(
        refuses(await t.call(tool, args, { as: 'ambiguous' }), 'workspace_ambiguous', `${tool}: ${ambiguousHint}`),
      );
    },
  });
}

/** A refusal of a workspace out of reach: any code, the boundary's header; or `invalid_arguments`. */
export function refusesWorkspace(exchange: Answered, what: string): Verdict {
  const hint = `${exchange.request.tool} must refuse ${what}: a result would be about a workspace that nobody asked for`;
  return refuses(exchange, undefined, hint);
}

/** A call that is good but for its workspace, which its key cannot reach. */
export function callOutOfReach(
  t: Context,
  tool: ToolName,
  args: Args,
  workspace: string,
  as: Role = 'primary',
): Promise<Answered> {
  return t.call(tool, { ...args, workspace }, { as, outOfReach: true });
}

/** Every reading tool refuses this workspace. */
function refusedBy(
  requirement: RequirementId,
  what: string,
  needs: Needs,
  workspaceOf: (t: Context) => string,
  keysOf: (t: Context) => readonly Role[],
) {
  return check({
    requirement,
    needs,
    async run(t) {
      const controls = await controlReadings(t);
      const workspace = workspaceOf(t);
      const calls = controls.flatMap(({ tool, args }) =>
        keysOf(t).map((as) => callOutOfReach(t, tool, args, workspace, as)),
      );
      for (const answer of await Promise.all(calls)) t.expect(refusesWorkspace(answer, what));
    },
  });
}

/** Keys to name a wrong workspace with: the usual one, and one that has a workspace of its own to fall back to. */
export function fallible(t: Context): Role[] {
  const own = (['defaulted', 'sole'] as const).find((role) => t.has(role));
  return own === undefined ? ['primary'] : ['primary', own];
}

/** A `workspace` that no schema admits is named in `invalid_arguments` by every reading tool. */
function invalidWorkspace(requirement: RequirementId, value: unknown, hint: string) {
  return check({
    requirement,
    async run(t) {
      const calls = (await controlReadings(t)).map(({ tool, args }) => t.call(tool, { ...args, workspace: value }));
      for (const answer of await Promise.all(calls)) {
        t.expect(invalidField(answer, 'workspace', 'path', `${answer.request.tool}: ${hint}`));
      }
    },
  });
}

export const unknownWorkspace = (t: Context) => `tck-${t.text('unknown workspace')}`;

/** Slugs that `primary` cannot reach: one that does not exist, and one of another account where it is known. */
function outOfReach(t: Context): string[] {
  const { workspace, otherWorkspace, otherAccountWorkspace: theirs } = t.ground;
  const shared = theirs === workspace || theirs === otherWorkspace;
  return [unknownWorkspace(t), ...(theirs === undefined || shared ? [] : [theirs])];
}

export const unresolved = [
  ambiguousReading('workspaces.ambiguous-schedule-read', 'schedule.read'),
  ambiguousReading('workspaces.ambiguous-content-status', 'content.status'),
  ambiguousReading('workspaces.ambiguous-library-search', 'library.search'),
  ambiguousReading('workspaces.ambiguous-library-get', 'library.get'),
  ambiguousReading('workspaces.ambiguous-knowledge-search', 'knowledge.search'),
  ambiguousReading('workspaces.ambiguous-connections-status', 'connections.status'),
  ambiguousChanging(
    'workspaces.ambiguous-create-request',
    writes,
    async (t) => {
      await controlCreated(t);
      return aRequest(t);
    },
    'content.create_request',
  ),
  ambiguousChanging(
    'workspaces.ambiguous-images-generate',
    proposes,
    async (t) => (await controlProposed(t)).args,
    'images.generate',
  ),
  check({
    requirement: 'workspaces.ambiguous-lists-choices',
    needs: { roles: ['ambiguous'] },
    async run(t) {
      const refusal = await ambiguous(t);
      if (!isRefusal(refusal, 'workspace_ambiguous')) t.cannot('the call was not refused with workspace_ambiguous');
      const { workspaces } = body(refusal);
      const slugs = new Set(Array.isArray(workspaces) ? workspaces.filter((slug) => typeof slug === 'string') : []);
      if (slugs.size >= 2) return;
      t.expect({
        expected: 'workspaces to list at least two distinct slugs',
        actual: `workspaces ${brief(workspaces)}`,
        hint: 'list every workspace that the key reaches, each once: a person chooses from them',
        exchanges: [refusal],
      });
    },
  }),
  check({
    requirement: 'workspaces.ambiguous-choices-work',
    needs: { roles: ['ambiguous'] },
    async run(t) {
      const refusal = await ambiguous(t);
      const { workspaces } = body(refusal);
      if (!Array.isArray(workspaces) || workspaces.length === 0) t.cannot('no choices were listed');
      await controlWorks(t, 'schedule.read');
      const slugs: unknown[] = Array.isArray(workspaces) ? workspaces.slice(0, mostChoices) : [];
      const answers = await Promise.all(
        slugs.map((workspace) => t.call('schedule.read', { workspace }, { as: 'ambiguous' })),
      );
      for (const answer of answers) {
        t.expect(
          succeeds(answer, 'a choice that is listed has to work: list slugs, and only those that the key reaches'),
        );
      }
    },
  }),
  refusedBy('workspaces.unknown-refused', 'a workspace that does not exist', {}, unknownWorkspace, fallible),
  refusedBy(
    'workspaces.unreachable-refused',
    "another account's workspace",
    { settings: ['otherAccountWorkspace'] },
    (t) => t.setting('otherAccountWorkspace'),
    // A key of another role may be one of that very account.
    () => ['primary'],
  ),
  rule({
    requirement: 'headers.tool-error-on-unreachable',
    // Where the arguments themselves are refused, either value is right.
    applies: (exchange) =>
      exchange.request.outOfReach && isRefusal(exchange) && body(exchange).code !== 'invalid_arguments',
    verdict: (exchange) =>
      carries(
        exchange,
        'x-service-tool-error',
        'true',
        'the workspace is resolved at the boundary, before any tool runs: the header says true',
      ),
    async exercise(t) {
      const controls = await controlReadings(t);
      return Promise.all(
        controls.flatMap(({ tool, args }) =>
          outOfReach(t).map((workspace) => callOutOfReach(t, tool, args, workspace)),
        ),
      );
    },
  }),
  check({
    requirement: 'workspaces.unreachable-lists-passable',
    async run(t) {
      const { args } =
        (await controlReadings(t)).find(({ tool }) => tool === 'schedule.read') ?? t.cannot('nothing to read');
      const refusals = await Promise.all(
        outOfReach(t).map((workspace) => callOutOfReach(t, 'schedule.read', args, workspace)),
      );
      const listing = refusals.filter((answer) => isRefusal(answer) && Array.isArray(body(answer).workspaces));
      if (listing.length === 0) t.cannot('no refusal of an unreachable workspace lists others');
      for (const refusal of listing) {
        const { workspaces: listed } = body(refusal);
        for (const workspace of Array.isArray(listed) ? listed.slice(0, mostChoices) : []) {
          const answer = await t.call('schedule.read', { workspace });
          if (isSuccess(answer)) continue;
          t.expect({
            expected: `${brief(workspace)}, which is listed, to work when it is passed`,
            actual: describeAnswer(answer),
            hint: 'workspaces lists what this key may pass, and nothing of others',
            exchanges: [refusal, answer],
          });
        }
      }
    },
  }),
  invalidWorkspace(
    'workspaces.empty-refused',
    '',
    'a slug has at least 1 character; an empty one is not an absent one',
  ),
  invalidWorkspace('workspaces.wrong-type-refused', 5, 'a slug is a string'),
];

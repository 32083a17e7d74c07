import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check, type Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { body, isRefusal, isSuccess } from '../exchange.ts';
import { refuses, succeeds } from '../expect/answers.ts';
import { brief } from '../json.ts';
import { aRequest, controlCreated, writes } from '../scenes/content.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { controlWorks, plainArguments, type readingTools, works } from '../scenes/reading.ts';
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
];

import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check, type Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { isSuccess } from '../exchange.ts';
import { refuses } from '../expect/answers.ts';
import { aChoice, readingUnchosen, tryStrangers } from '../scenes/ambiguous.ts';
import { aRequest, controlCreated, writes } from '../scenes/content.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { controlWorks, type ReadingTool, works } from '../scenes/reading.ts';

const ambiguousHint =
  'with several workspaces in reach and neither argument, pin nor default, refuse and list them; never pick one';

/** A tool that reads refuses while nothing chooses a workspace, and works once the call names one. */
function ambiguousReading(requirement: RequirementId, tool: ReadingTool) {
  return check({
    requirement,
    needs: { roles: ['ambiguous'] },
    async run(t) {
      await aChoice(t);
      await controlWorks(t, tool);
      const answer = await readingUnchosen(t, tool);
      if (answer === undefined) {
        return t.cannot(`arguments of ${tool} are not shown`, { kind: 'data', what: `arguments of ${tool}` });
      }
      t.expect(refuses(answer, 'workspace_ambiguous', `${tool}: ${ambiguousHint}`));
    },
  });
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
      const answer = await t.call(tool, args, { as: 'ambiguous' });
      t.expect(refuses(answer, 'workspace_ambiguous', `${tool}: ${ambiguousHint}`));
      if (!(await works(t, 'schedule.read'))) return;
      for (const tried of await tryStrangers(t, [answer])) t.control('workspaces.ambiguous-choices-work', tried);
    },
  });
}

/** Calls by a key that reaches several workspaces, where nothing chooses one of them. */
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
    requirement: 'workspaces.ambiguous-schedule-read',
    title:
      '`schedule.read` goes on refusing: without a body, and when it is asked again after a call that named a workspace.',
    needs: { roles: ['ambiguous'] },
    async run(t) {
      await aChoice(t);
      await controlWorks(t, 'schedule.read');
      const hint = `${ambiguousHint}, however often it is asked, and nothing kept from an earlier call chooses`;
      const bodiless = await t.call('schedule.read', undefined, { as: 'ambiguous' });
      // That the body may be left out at all is promised by another requirement.
      if (bodiless.answer.status !== 400) {
        t.expect(refuses(bodiless, 'workspace_ambiguous', `without a body as with {}: ${ambiguousHint}`));
      }
      const again = await t.call('schedule.read', {}, { as: 'ambiguous', fresh: true });
      t.expect(refuses(again, 'workspace_ambiguous', hint));
    },
  }),
  check({
    requirement: 'workspaces.ambiguous-schedule-read',
    title: '`schedule.read` goes on refusing after `content.create_request` that named a workspace.',
    needs: { ...writes, roles: ['primary', 'ambiguous'] },
    async run(t) {
      const workspace = await aChoice(t);
      await controlWorks(t, 'schedule.read');
      const named = await t.call('content.create_request', { ...aRequest(t), workspace }, { as: 'ambiguous' });
      if (!isSuccess(named)) t.cannot('the key that is ambiguous may create nothing there');
      const again = await t.call('schedule.read', {}, { as: 'ambiguous', fresh: true });
      t.expect(
        refuses(again, 'workspace_ambiguous', `${ambiguousHint}, and nothing kept from an earlier call chooses`),
      );
    },
  }),
];

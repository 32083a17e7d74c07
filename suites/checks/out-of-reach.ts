import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { check, type Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { body, isRefusal, isSuccess } from '../exchange.ts';
import { carries, describeAnswer } from '../expect/answers.ts';
import { invalidField } from '../expect/issues.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import {
  callOutOfReach,
  fallible,
  nobodysWorkspace,
  refusesWorkspace,
  slugsOutOfReach,
} from '../scenes/out-of-reach.ts';
import { controlReadings, type ReadingTool } from '../scenes/reading.ts';
import { beyondSole, ownWorkspace } from '../scenes/unnamed.ts';

/** The most listed slugs that are tried. */
const mostChoices = 10;

/** Every reading tool refuses this workspace. */
function refusedBy(
  requirement: RequirementId,
  what: string,
  needs: Needs,
  workspaceOf: (t: Context, tool: ReadingTool) => string | Promise<string>,
  keysOf: (t: Context, tool: ReadingTool) => Promise<readonly Role[]>,
) {
  return check({
    requirement,
    needs,
    async run(t) {
      const controls = await controlReadings(t);
      const answers = controls.map(async ({ tool, args }) => {
        const [keys, workspace] = await Promise.all([keysOf(t, tool), workspaceOf(t, tool)]);
        return Promise.all(keys.map((as) => callOutOfReach(t, tool, args, workspace, as)));
      });
      for (const answer of (await Promise.all(answers)).flat()) t.expect(refusesWorkspace(answer, what));
    },
  });
}

/** A key that is pinned, where its pin does not decide whatever a call asks for: the order of the rungs is not shown. */
async function pinnedThatListens(t: Context): Promise<Role[]> {
  const pin = t.has('pinned') ? await ownWorkspace(t, 'pinned') : undefined;
  const other = [t.ground.workspace, t.ground.otherWorkspace].find((slug) => slug !== undefined && slug !== pin);
  if (pin === undefined || other === undefined) return [];
  const asked = await t.call('schedule.read', { workspace: other }, { as: 'pinned' });
  return isSuccess(asked) && body(asked).workspace === pin ? [] : ['pinned'];
}

/** A `workspace` that no schema admits is named in `invalid_arguments` by every reading tool. */
function invalidWorkspace(
  requirement: RequirementId,
  put: (tool: ReadingTool, slug: unknown) => unknown,
  hint: string,
) {
  return check({
    requirement,
    async run(t) {
      const calls = (await controlReadings(t)).map(({ tool, args, answer }) =>
        t.call(tool, { ...args, workspace: put(tool, body(answer).workspace) }),
      );
      for (const answer of await Promise.all(calls)) {
        t.expect(invalidField(answer, 'workspace', 'path', `${answer.request.tool}: ${hint}`));
      }
    },
  });
}

/** Calls that name a workspace which their key cannot reach, or none at all. */
export const outOfReach = [
  refusedBy('workspaces.unknown-refused', 'a workspace that does not exist', {}, nobodysWorkspace, async (t, tool) => [
    ...fallible(t),
    ...(tool === 'schedule.read' ? await pinnedThatListens(t) : []),
  ]),
  refusedBy(
    'workspaces.unreachable-refused',
    "another account's workspace",
    { settings: ['otherAccountWorkspace'] },
    (t) => t.setting('otherAccountWorkspace'),
    // A key of another role may be one of that very account.
    async () => ['primary'],
  ),
  rule({
    requirement: 'headers.tool-error-on-unreachable',
    // Where the arguments themselves are refused, either value is right.
    applies: (exchange) =>
      exchange.request.outOfReach &&
      isRefusal(exchange) &&
      body(exchange).code !== 'invalid_arguments' &&
      // A key that stays with its pin resolved the call, and its tool looked for the board there.
      !(exchange.credential.pinnedTo !== undefined && isRefusal(exchange, 'board_not_found')),
    verdict: (exchange) =>
      carries(
        exchange,
        'x-service-tool-error',
        'true',
        'the workspace is resolved at the boundary, before any tool runs: the header says true',
      ),
    async exercise(t) {
      const controls = await controlReadings(t);
      const answers = controls.map(async ({ tool, args }) =>
        Promise.all((await slugsOutOfReach(t, tool)).map((slug) => callOutOfReach(t, tool, args, slug))),
      );
      return (await Promise.all(answers)).flat();
    },
  }),
  check({
    requirement: 'workspaces.unreachable-lists-passable',
    async run(t) {
      const { args } =
        (await controlReadings(t)).find(({ tool }) => tool === 'schedule.read') ?? t.cannot('nothing to read');
      const slugs = await slugsOutOfReach(t, 'schedule.read');
      const asked = slugs.map((workspace) => callOutOfReach(t, 'schedule.read', args, workspace));
      const beyond = await beyondSole(t);
      // A key of one workspace may be told of no other, were it of its own account.
      if (beyond !== undefined) asked.push(t.call('schedule.read', { workspace: beyond }, { as: 'sole' }));
      const refusals = await Promise.all(asked);
      const lists = ({ workspaces }: Record<string, unknown>) => Array.isArray(workspaces) && workspaces.length > 0;
      const listing = refusals.filter((answer) => isRefusal(answer) && lists(body(answer)));
      if (listing.length === 0) t.cannot('no refusal of an unreachable workspace lists others');
      for (const refusal of listing) {
        const { workspaces: listed } = body(refusal);
        for (const workspace of Array.isArray(listed) ? listed.slice(0, mostChoices) : []) {
          const { role = 'primary' } = refusal.credential;
          const answer = await t.call('schedule.read', { workspace }, { as: role });
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
    () => '',
    'a slug has at least 1 character; an empty one is not an absent one',
  ),
  invalidWorkspace(
    'workspaces.wrong-type-refused',
    // A list of one slug is no string either, and more tempting; and what counts as false is there all the same.
    (tool, slug) => (['schedule.read', 'library.search', 'library.get'].includes(tool) ? [slug] : 0),
    'a slug is a string',
  ),
];

import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, isSuccess } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { aRequest, controlCreated, writes } from '../scenes/content.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { controlReadings, readings } from '../scenes/reading.ts';
import { beyondSole } from '../scenes/unnamed.ts';

const requirement = 'workspaces.unreachable-within-account';
const hint =
  "a key carries its holder's permissions: look up the membership for the workspace that the argument names, in every tool";

/** A workspace that exists, and that the key of one workspace does not reach. */
async function beyond(t: Context): Promise<string> {
  return (await beyondSole(t)) ?? t.cannot("the key in the role 'sole' does not tell which workspace is its own");
}

function notServed(answer: Answered): Finding | undefined {
  if (!isSuccess(answer)) return undefined;
  return {
    expected: `${answer.request.tool} to refuse the key in the role 'sole' a workspace that is not its own`,
    actual: 'a result',
    hint,
    exchanges: [answer],
  };
}

/** A key that reaches one workspace of its account, and asks for another. */
export const withinAccount = [
  check({
    requirement,
    needs: { roles: ['sole'], settings: ['workspace', 'otherWorkspace'] },
    async run(t) {
      await controlReadings(t);
      const slugs = [t.setting('workspace'), t.setting('otherWorkspace')];
      const answers = await Promise.all(
        slugs.map((workspace) => t.call('schedule.read', { workspace }, { as: 'sole' })),
      );
      const reached = answers.filter(isSuccess);
      // A key that reaches nothing reaches nothing that it should not; it has to be served somewhere.
      if (reached.length === 0 && !(await readings(t, {}, 'sole')).some(({ answer }) => isSuccess(answer))) {
        t.cannot("the key in the role 'sole' is served nowhere");
      }
      if (reached.length < 2) return;
      t.expect({
        expected: "at most one workspace to be served to the key in the role 'sole'",
        actual: `results for ${slugs.join(' and ')}`,
        hint,
        exchanges: reached,
      });
    },
  }),
  check({
    requirement,
    title: 'another workspace, by the other tools that read',
    needs: { roles: ['primary', 'sole'], settings: ['workspace', 'otherWorkspace'] },
    async run(t) {
      const workspace = await beyond(t);
      // What is there to be read, the usual key has read.
      const known = await readings(t, { workspace });
      const good = known.filter(({ tool, answer }) => tool !== 'schedule.read' && isSuccess(answer));
      if (good.length === 0) t.cannot(`no other tool answers 'primary' in ${workspace}`);
      const calls = good.map(({ tool, args }) => t.call(tool, args, { as: 'sole' }));
      for (const answer of await Promise.all(calls)) t.expect(notServed(answer));
    },
  }),
  check({
    requirement,
    title: 'another workspace, by content.create_request',
    needs: { ...writes, roles: ['primary', 'sole'], settings: ['workspace', 'otherWorkspace'] },
    async run(t) {
      await controlCreated(t);
      const args = { ...aRequest(t), workspace: await beyond(t) };
      t.expect(notServed(await t.call('content.create_request', args, { as: 'sole' })));
    },
  }),
  check({
    requirement,
    title: 'another workspace, by images.generate',
    needs: {
      ...proposes,
      roles: ['primary', 'sole'],
      settings: ['board', 'workspace', 'otherWorkspace', 'otherBoard'],
    },
    async run(t) {
      const { args } = await controlProposed(t);
      const workspace = await beyond(t);
      const board = workspace === t.ground.workspace ? t.setting('board') : t.setting('otherBoard');
      t.expect(notServed(await t.call('images.generate', { ...args, workspace, board }, { as: 'sole' })));
    },
  }),
];

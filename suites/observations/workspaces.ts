import type { Context } from '../engine/context.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { member } from '../json.ts';
import { unknownWorkspace } from '../scenes/out-of-reach.ts';
import { plainArguments, readingTools } from '../scenes/reading.ts';
import { ambiguous } from '../scenes/refusals.ts';
import { observation } from './observation.ts';
import { elements, noteEach, outcome, recorded, roleThatResolves, short } from './seen.ts';

/** Workspaces that the account is known to have, in the order in which they became known. */
async function knownWorkspaces(t: Context): Promise<string[]> {
  const listed = t.has('ambiguous') ? elements(body(await ambiguous(t)).workspaces) : [];
  const known = [t.ground.workspace, t.ground.otherWorkspace, ...listed];
  return [...new Set(known.filter((slug): slug is string => typeof slug === 'string'))];
}

/** What a pinned key got that asked for another workspace than its pin. */
function pinnedOutcome(answer: Answered): string {
  if (!isSuccess(answer)) return outcome(answer);
  return body(answer).workspace === answer.request.args?.workspace ? 'the argument decides' : 'the pin decides';
}

export const workspaces = [
  observation({
    answers: ['workspaces.unreachable-code'],
    run(t) {
      const slugs = [unknownWorkspace(t), t.ground.otherAccountWorkspace];
      const refusals = recorded(t).filter(
        (each) =>
          each.credential.role === 'primary' &&
          slugs.some((slug) => slug === each.request.args?.workspace) &&
          isRefusal(each),
      );
      noteEach(
        t,
        'workspaces.unreachable-code',
        refusals.map((each) => [short(body(each).code), each]),
      );
    },
  }),
  observation({
    answers: ['workspaces.working-in-on-refusals'],
    run(t) {
      const told = recorded(t)
        .filter((each) => isRefusal(each))
        .map((each): [string, Answered] => {
          const present = member(each.answer.json, 'working_in') !== undefined;
          return [`${short(body(each).code)}: ${present ? 'yes' : 'no'}`, each];
        });
      noteEach(t, 'workspaces.working-in-on-refusals', told);
    },
  }),
  observation({
    answers: ['workspaces.null-argument'],
    mostRequests: 1,
    async run(t) {
      const answer = await t.call('schedule.read', { workspace: null }, { as: roleThatResolves(t) });
      // A key that resolves to nothing shows by this code that null was taken for no argument.
      const told = isRefusal(answer, 'workspace_ambiguous') ? 'accepted' : outcome(answer);
      t.observe('workspaces.null-argument', told, answer);
    },
  }),
  observation({
    answers: ['workspaces.pinned-with-argument'],
    needs: { roles: ['pinned'] },
    mostRequests: 4,
    async run(t) {
      const as = 'pinned';
      const { workspace: pin } = body(await t.call('schedule.read', {}, { as }));
      const others = (await knownWorkspaces(t)).filter((slug) => slug !== pin).slice(0, 2);
      const answers = await Promise.all(others.map((workspace) => t.call('schedule.read', { workspace }, { as })));
      // It may not reach every one of them; whatever is no refusal tells more.
      const told = answers.find(isSuccess) ?? answers[0];
      if (told !== undefined) t.observe('workspaces.pinned-with-argument', pinnedOutcome(told), told);
    },
  }),
  observation({
    answers: ['workspaces.unknown-properties'],
    // Two calls more where nobody has asked yet what there is to read.
    mostRequests: readingTools.length + 2,
    async run(t) {
      const answers = await Promise.all(
        readingTools.map(async (tool) => {
          const args = await plainArguments(t, tool);
          return args && t.call(tool, { ...args, tck_unknown: true });
        }),
      );
      const told = answers.filter((each) => each !== undefined);
      noteEach(
        t,
        'workspaces.unknown-properties',
        told.map((each) => [`${each.request.tool}: ${outcome(each)}`, each]),
      );
    },
  }),
  observation({
    answers: ['order.arguments-or-workspace'],
    mostRequests: 1,
    async run(t) {
      const bad = { kind: 5, id: false };
      const answer = t.has('ambiguous')
        ? await t.call('library.get', bad, { as: 'ambiguous' })
        : await t.call('library.get', { ...bad, workspace: unknownWorkspace(t) });
      const issues = JSON.stringify(body(answer).issues) ?? '';
      const byArguments = isRefusal(answer, 'invalid_arguments') && /\b(kind|id)\b/.test(issues);
      t.observe(
        'order.arguments-or-workspace',
        byArguments ? 'arguments first' : `workspace first: ${outcome(answer)}`,
        answer,
      );
    },
  }),
];

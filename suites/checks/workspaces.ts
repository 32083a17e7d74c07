import { sources } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check, type Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldIsText } from '../expect/fields.ts';
import { brief, isRecord, member } from '../json.ts';
import { rule } from '../rule.ts';
import { isDispatch } from '../scenes/images.ts';
import { controlReadings, controlWorks, readings, works } from '../scenes/reading.ts';
import { argument, isPinned, isScopedResult, source, workingIn } from '../scenes/scoped-results.ts';
import { ownWorkspace } from '../scenes/unnamed.ts';

const staysWithPin = (exchange: Answered) =>
  isPinned(exchange) || exchange.credential.pinnedTo === body(exchange).workspace;

/** Whether two slugs differ in case or spaces only. */
function nearly(one: unknown, other: unknown): boolean {
  const plain = (slug: unknown) => String(slug).trim().toLowerCase();
  return plain(one) === plain(other);
}

/** Slugs that a workspace may be mistaken for: should one of them resolve at all, then not to it. */
function slugsLike(slug: string): string[] {
  const upper = slug.toUpperCase();
  const otherCase = upper === slug ? slug.toLowerCase() : upper;
  const start = [...slug].slice(0, -1).join('');
  return [`${slug}x`, `${slug} `, otherCase, start].filter((like) => like !== slug && like !== '');
}

async function plainAnswers(t: Context): Promise<Answered[]> {
  return (await readings(t)).map(({ answer }) => answer);
}

/** Every reading tool runs in the workspace that the argument names. */
function everyToolHonours(requirement: RequirementId, needs: Needs) {
  return check({
    requirement,
    needs,
    async run(t) {
      const there = t.setting('otherWorkspace');
      const met = await readings(t, t.there());
      if (!met.some(({ answer }) => isSuccess(answer))) await controlReadings(t);
      if (!met.some(({ answer }) => !isSuccess(answer) || body(answer).workspace !== undefined)) {
        t.cannot('no result names the workspace that it is about');
      }
      for (const { tool, answer } of met) {
        const { workspace } = body(answer);
        // A result that names no workspace, or a tool that fails anywhere, is told by another requirement.
        if (isSuccess(answer) ? workspace === there || workspace === undefined : !(await works(t, tool))) continue;
        t.expect({
          expected: `${tool} to run in ${brief(there)}`,
          actual: isSuccess(answer) ? `workspace ${brief(workspace)}` : brief(answer.answer.json),
          hint: `pass the argument workspace on to ${tool}: an answer about another workspace misleads people`,
          exchanges: [answer],
        });
      }
    },
  });
}

export const workspaces = [
  rule({
    requirement: 'workspaces.result-names-workspace',
    applies: isScopedResult,
    verdict: (exchange) =>
      fieldIsText(
        exchange,
        'workspace',
        'every result of a workspace-scoped tool says by slug which workspace it is about',
      ),
    exercise: plainAnswers,
  }),
  rule({
    requirement: 'workspaces.working-in-present',
    applies: (exchange) => isScopedResult(exchange) && !isDispatch(exchange),
    verdict: (exchange) => {
      const value = workingIn(exchange);
      const good = isRecord(value) && typeof value.label === 'string' && typeof value.note === 'string';
      if (good) return undefined;
      return {
        expected: 'working_in with the strings label and note',
        actual: `working_in ${brief(value)}`,
        hint: `add working_in to the results of ${exchange.request.tool}: people are told from it where they are`,
        exchanges: [exchange],
      };
    },
    exercise: plainAnswers,
  }),
  rule({
    requirement: 'workspaces.working-in-agrees',
    applies: (exchange) =>
      isScopedResult(exchange) &&
      member(workingIn(exchange), 'workspace') !== undefined &&
      body(exchange).workspace !== undefined,
    verdict: (exchange) => {
      const inside = member(workingIn(exchange), 'workspace');
      if (inside === body(exchange).workspace) return undefined;
      return {
        expected: `working_in.workspace ${brief(body(exchange).workspace)}, as in workspace`,
        actual: `working_in.workspace ${brief(inside)}`,
        hint: 'fill both from the one workspace that the call was resolved to',
        exchanges: [exchange],
      };
    },
    exercise: plainAnswers,
  }),
  rule({
    requirement: 'workspaces.source-known',
    applies: (exchange) => isScopedResult(exchange) && source(exchange) !== undefined,
    verdict: (exchange) => {
      if (sources.some((known) => known === source(exchange))) return undefined;
      return {
        expected: `working_in.source one of ${sources.join(', ')}`,
        actual: `working_in.source ${brief(source(exchange))}`,
        hint: 'there are four rungs, and each has one name',
        exchanges: [exchange],
      };
    },
    exercise: plainAnswers,
  }),
  rule({
    requirement: 'workspaces.argument-honoured',
    applies: (exchange) =>
      isScopedResult(exchange) && typeof argument(exchange) === 'string' && !staysWithPin(exchange),
    verdict: (exchange) => {
      const { workspace } = body(exchange);
      if (workspace === argument(exchange) || workspace === undefined) return undefined;
      return {
        expected: `workspace ${brief(argument(exchange))}, as asked for`,
        actual: `workspace ${brief(workspace)}`,
        hint: `${exchange.request.tool}: ${nearly(workspace, argument(exchange)) ? 'look slugs up to the letter, and neither trim them nor change their case' : 'let the argument decide, and let nothing kept from an earlier call (a cache, a session) answer for another workspace'}`,
        exchanges: [exchange],
      };
    },
    async exercise(t) {
      const { workspace } = body(await t.call('schedule.read', t.here()));
      if (typeof workspace !== 'string') return t.cannot('no result named a workspace that could be asked for');
      // A key with a default, or with one workspace only, may be tempted to prefer its own to the argument.
      const tempted = (['defaulted', 'sole'] as const).filter((role) => t.has(role));
      const slugs = [workspace, t.ground.otherWorkspace].filter((slug) => slug !== undefined);
      const others = tempted.flatMap((as) => slugs.map((slug) => t.call('schedule.read', { workspace: slug }, { as })));
      const near = slugsLike(workspace).map((slug) => t.call('schedule.read', { workspace: slug }));
      return Promise.all([t.call('schedule.read', { workspace }), ...others, ...near]);
    },
  }),
  check({
    requirement: 'workspaces.argument-honoured',
    title: 'a key names the workspace that it works in without an argument',
    needs: { roles: [] },
    async run(t) {
      const roles = (['defaulted', 'sole'] as const).filter((role) => t.has(role));
      const owns = await Promise.all(roles.map(async (as) => ({ as, workspace: await ownWorkspace(t, as) })));
      const known = owns.filter(({ workspace }) => workspace !== undefined);
      if (known.length === 0) t.lacksKeyOf('no key that works somewhere by itself', 'sole', 'defaulted');
      await controlWorks(t, 'schedule.read');
      const hint = 'what a key reaches by a default, or as its only workspace, it reaches by name too';
      for (const { as, workspace } of known) {
        t.expect(succeeds(await t.call('schedule.read', { workspace }, { as }), hint));
      }
    },
  }),
  everyToolHonours('workspaces.argument-honoured-every-tool', { settings: ['otherWorkspace'] }),
];

import { check, type Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { type ChangingTool, changingUnchosen, choiceWorks, readingUnchosen, slugsIn } from '../scenes/ambiguous.ts';
import { writes } from '../scenes/content.ts';
import { proposes } from '../scenes/images.ts';
import { controlWorks, readingTools } from '../scenes/reading.ts';
import { ambiguous } from '../scenes/refusals.ts';

/** The most slugs of an ambiguous refusal that are tried, and of those that another tool lists besides. */
const mostChoices = 10;

const isAmbiguous = (exchange: Answered) => isRefusal(exchange, 'workspace_ambiguous');

/** What the reading tools answer where nothing chooses a workspace. */
async function unchosenReadings(t: Context): Promise<Answered[]> {
  const answers = await Promise.all(readingTools.map((tool) => readingUnchosen(t, tool)));
  return answers.filter((answer) => answer !== undefined);
}

function listsChoices(refusal: Answered) {
  if (new Set(slugsIn(refusal)).size >= 2) return undefined;
  const { workspaces } = body(refusal);
  return {
    expected: `${refusal.request.tool}: workspaces to list at least two distinct slugs`,
    actual: `workspaces ${brief(workspaces)}`,
    hint: 'list every workspace that the key reaches, each once, whichever tool refuses: a person chooses from them',
    exchanges: [refusal],
  };
}

async function tryChoices(t: Context, choices: readonly (readonly [slug: string, refusal: Answered])[]): Promise<void> {
  const tried = choices.slice(0, mostChoices).map(async ([workspace, refusal]) => {
    t.expect(choiceWorks(refusal, workspace, await t.call('schedule.read', { workspace }, { as: 'ambiguous' })));
  });
  await Promise.all(tried);
}

/** Tries what these refusals list that `schedule.read`, whose choices another check tries, does not. */
async function tryStrangers(t: Context, refusals: readonly Answered[]): Promise<void> {
  const known = new Set(slugsIn(await ambiguous(t)));
  const listed = new Map(refusals.flatMap((refusal) => slugsIn(refusal).map((slug) => [slug, refusal] as const)));
  await tryChoices(
    t,
    [...listed].filter(([slug]) => !known.has(slug)),
  );
}

/** Both requirements, for a tool that changes something. */
function changing(tool: ChangingTool, effects: Needs) {
  const needs: Needs = { ...effects, roles: ['primary', 'ambiguous'] };
  const refusal = async (t: Context) => {
    const answer = await changingUnchosen[tool](t);
    return isAmbiguous(answer) ? answer : t.cannot(`${tool} was not refused with workspace_ambiguous`);
  };
  return [
    check({
      requirement: 'workspaces.ambiguous-lists-choices',
      title: `\`${tool}\` lists at least two distinct slugs.`,
      needs,
      run: async (t) => t.expect(listsChoices(await refusal(t))),
    }),
    check({
      requirement: 'workspaces.ambiguous-choices-work',
      title: `What \`${tool}\` lists works.`,
      needs,
      async run(t) {
        const refused = await refusal(t);
        await controlWorks(t, 'schedule.read');
        await tryStrangers(t, [refused]);
      },
    }),
  ];
}

/** What the refusal lists where nothing chooses a workspace. */
export const choices = [
  rule({
    requirement: 'workspaces.ambiguous-lists-choices',
    needs: { roles: ['ambiguous'] },
    applies: (exchange) =>
      isAmbiguous(exchange) &&
      exchange.credential.role === 'ambiguous' &&
      exchange.request.args?.workspace === undefined &&
      readingTools.some((tool) => tool === exchange.request.tool),
    verdict: listsChoices,
    exercise: unchosenReadings,
  }),
  check({
    requirement: 'workspaces.ambiguous-choices-work',
    needs: { roles: ['ambiguous'] },
    async run(t) {
      const refusal = await ambiguous(t);
      await controlWorks(t, 'schedule.read');
      await tryChoices(
        t,
        slugsIn(refusal).map((slug) => [slug, refusal]),
      );
      const others = (await unchosenReadings(t)).filter(isAmbiguous);
      if ([refusal, ...others].every((each) => slugsIn(each).length === 0)) t.cannot('no choices were listed');
      await tryStrangers(t, others);
    },
  }),
  ...changing('content.create_request', writes),
  ...changing('images.generate', proposes),
];

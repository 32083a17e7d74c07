import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { readingUnchosen, slugsIn, tryChoices, tryStrangers } from '../scenes/ambiguous.ts';
import { controlWorks, readingTools } from '../scenes/reading.ts';
import { ambiguous } from '../scenes/refusals.ts';

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

/** What the refusal lists where nothing chooses a workspace. */
export const choices = [
  rule({
    requirement: 'workspaces.ambiguous-lists-choices',
    needs: { roles: ['ambiguous'] },
    applies: (exchange) =>
      isAmbiguous(exchange) &&
      exchange.credential.role === 'ambiguous' &&
      exchange.request.args?.workspace === undefined,
    verdict: listsChoices,
    exercise: unchosenReadings,
  }),
  check({
    requirement: 'workspaces.ambiguous-choices-work',
    needs: { roles: ['ambiguous'] },
    async run(t) {
      const refusal = await ambiguous(t);
      await controlWorks(t, 'schedule.read');
      const chosen = await tryChoices(t, slugsIn(refusal), refusal);
      const others = (await unchosenReadings(t)).filter(isAmbiguous);
      if ([refusal, ...others].every((each) => slugsIn(each).length === 0)) t.cannot('no choices were listed');
      t.expect(...chosen, ...(await tryStrangers(t, others)));
    },
  }),
];

import { proposing } from '../requests/proposals.ts';
import { story } from '../story.ts';
import { nameListed } from './slugs.ts';
import { as, chosen, refusesUnchosen, unnamed } from './unnamed.ts';

export const ambiguousProposals = story('ambiguous proposals', {
  needs: { roles: ['primary', as], effects: ['proposals'], settings: ['board'] },
  steps: async (t) => {
    const workspace = chosen(t, await unnamed(t, 'read the schedule'));
    await t.send('read the schedule of a listed workspace', { tool: 'schedule.read', args: { workspace }, as });
    const refusal = await t.send('propose without naming a workspace', {
      ...proposing(t, { workspace: undefined }),
      as,
    });
    await nameListed(t, [refusal], as, new Set([workspace]));
  },
  requirements: [refusesUnchosen('images.generate')],
});

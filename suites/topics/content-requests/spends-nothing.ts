import { must } from '../../../fixtures/requirements/model.ts';
import { isSuccess } from '../../history/exchange.ts';
import { betweenReadings, costsNothing } from '../credits/costs-nothing.ts';
import { createOnSomeDay, needs } from '../requests/content.ts';
import { story } from '../story.ts';
import { tool } from './accepted.ts';

/** Reads the balance before and after a content request. */
export const creatingCostsNothing = story('content requests cost nothing', {
  turn: 'first',
  needs,
  steps: async (t) => {
    await betweenReadings(t, async () => {
      await createOnSomeDay(t, 'create the same request again');
    });
  },
  requirements: [
    costsNothing(
      must(
        'content-requests.spends-nothing',
        'The server MUST NOT charge for a content request.',
        'What the service does, rule 6',
        'spends-money',
      ),
      {
        tool,
        what: 'content request',
        isDone: isSuccess,
        hint: 'Charge only when a confirmed run starts: an action that spends credits never runs in one call.',
      },
    ),
  ],
});

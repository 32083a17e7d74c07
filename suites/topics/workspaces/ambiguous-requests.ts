import { isSuccess } from '../../history/exchange.ts';
import { creating, titled } from '../requests/content.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';
import { nameListed } from './slugs.ts';
import { as, chosen, refusesUnchosen, unnamed } from './unnamed.ts';

export const ambiguousRequests = story('ambiguous content requests', {
  needs: { roles: ['primary', as], effects: ['writes'] },
  steps: async (t) => {
    const workspace = chosen(t, await unnamed(t, 'read the schedule'));
    const request = (change: Args) => creating(t, { title: titled(t, 'unnamed'), ...change }, { as });
    const refusal = await t.send('create without naming a workspace', request({ workspace: undefined }));
    await t.send('read the schedule of a listed workspace', { tool: 'schedule.read', args: { workspace }, as });
    await nameListed(t, [refusal], as, new Set([workspace]));
    const created = await t.send('create in a named workspace', request({ workspace }));
    if (!isSuccess(created)) return;
    await unnamed(t, 'read the schedule after that');
    await t.send('then create without naming a workspace', request({ workspace: undefined }));
  },
  requirements: [refusesUnchosen('content.create_request')],
});

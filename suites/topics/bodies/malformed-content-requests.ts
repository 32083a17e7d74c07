import { creating, titled } from '../requests/content.ts';
import { story } from '../story.ts';
import { listed, refuse } from './values.ts';

export const malformedContentRequests = story('malformed content requests', {
  needs: { effects: ['writes'] },
  steps: async (t) => {
    const asked = creating(t, { title: titled(t, 'bodies') });
    await t.send('create a content request', asked);
    await refuse(t, asked.tool, listed(asked));
  },
  alsoTests: ['bodies.create-request'],
});

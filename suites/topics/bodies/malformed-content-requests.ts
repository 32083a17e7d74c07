import { must } from '../../../fixtures/requirements/model.ts';
import { creating, titled } from '../requests/content.ts';
import { story } from '../story.ts';
import { refused } from './malformed.ts';
import { listed, refuse } from './values.ts';

export const malformedContentRequests = story('malformed content requests', {
  needs: { effects: ['writes'] },
  steps: async (t) => {
    const asked = creating(t, { title: titled(t, 'bodies') });
    await t.send('create a content request', asked);
    await refuse(t, asked.tool, listed(asked));
  },
  requirements: [
    refused(
      must(
        'bodies.create-request',
        'The server MUST return the documented 400 for a malformed body of `content.create_request`.',
        'Errors, 400; What the service does, rule 1',
      ),
      ['content.create_request'],
    ),
  ],
});

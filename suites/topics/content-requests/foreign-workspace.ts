import { must } from '../../../fixtures/requirements/model.ts';
import { creating, needs } from '../requests/content.ts';
import { story } from '../story.ts';
import { unreachableRefused } from '../workspaces/reach.ts';

export const foreignRequests = story('content requests in a workspace of another account', {
  needs: { ...needs, settings: ['otherAccountWorkspace'] },
  steps: async (t) => {
    const workspace = t.setting('otherAccountWorkspace');
    await t.send("create in another account's workspace", { ...creating(t, { workspace }) });
  },
  requirements: [
    unreachableRefused(
      must(
        'content-requests.workspace-unreachable-refused',
        'The server MUST refuse the workspace of another account.',
        'Authentication, 3 and 6',
        'data-isolation',
      ),
      ['content.create_request'],
    ),
  ],
});

import { must } from '../../../fixtures/requirements/model.ts';
import { story } from '../story.ts';
import { refusalArray } from './every-response.ts';

export const ambiguousRequest = story('an ambiguous request', {
  needs: { roles: ['ambiguous'] },
  steps: async (t) => {
    await t.send('omit the workspace', { tool: 'schedule.read', args: {}, as: 'ambiguous' });
  },
  requirements: [
    refusalArray(
      must(
        'envelopes.refusal-workspaces',
        'If a refusal has `workspaces`, the server MUST send them as an array of strings.',
        'Error envelopes, tool refusal',
      ),
      'workspaces',
      'strings',
      (slug) => typeof slug === 'string',
      'List the slugs themselves, not objects that describe them.',
    ),
  ],
  alsoTests: ['headers.tool-error-on-ambiguous'],
});

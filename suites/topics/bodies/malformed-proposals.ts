import { must } from '../../../fixtures/requirements/model.ts';
import { propose, proposing } from '../requests/proposals.ts';
import { story } from '../story.ts';
import { refused } from './malformed.ts';
import { listed, refuse } from './values.ts';

export const malformedProposals = story('malformed proposals', {
  needs: { effects: ['proposals'], settings: ['board'] },
  steps: async (t) => {
    await propose(t, 'propose');
    await refuse(t, 'images.generate', listed(proposing(t)));
  },
  requirements: [
    refused(
      must(
        'bodies.images-generate',
        'The server MUST return the documented 400 for a malformed body of `images.generate`.',
        'Errors, 400; What the service does, rule 1',
      ),
      ['images.generate'],
    ),
  ],
});

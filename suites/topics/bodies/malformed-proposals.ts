import { propose, proposing } from '../requests/proposals.ts';
import { story } from '../story.ts';
import { listed, refuse } from './values.ts';

export const malformedProposals = story('malformed proposals', {
  needs: { effects: ['proposals'], settings: ['board'] },
  steps: async (t) => {
    await propose(t, 'propose');
    await refuse(t, 'images.generate', listed(proposing(t)));
  },
  alsoTests: ['bodies.images-generate'],
});

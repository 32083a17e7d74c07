import { neverIssued, resemblingId } from '../requests/made-up-ids.ts';
import { propose, proposing } from '../requests/proposals.ts';
import { story } from '../story.ts';

export const imageRefusals = story('refusals by images.generate', {
  needs: { effects: ['proposals'], settings: ['board'] },
  steps: async (t) => {
    const proposal = await propose(t, 'propose');
    await t.send('present an ID that was never issued', neverIssued(t, proposal));
    await propose(t, 'propose the same request again', proposal.args);
    const board = resemblingId(String(proposal.args.board), t.text('unknown board', 16));
    await t.send('propose for a board that does not exist', { ...proposing(t, { board }), invented: ['board'] });
  },
  alsoTests: ['headers.tool-error-on-confirmation-invalid', 'headers.tool-error-on-board-not-found'],
});

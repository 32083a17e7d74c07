import { row } from '../../model/row.ts';
import { slugsIn } from '../../situations/choices.ts';
import { story } from '../story.ts';
import { choicesWork } from './choices.ts';
import { beyondSole, nameListed } from './slugs.ts';

/** Names the workspaces that refusals list. */
export const listedWorkspaces = story('workspaces that a refusal lists', {
  steps: async (t) => {
    const args = { workspace: `tck-${t.text('unknown workspace')}` };
    const unknown = { tool: 'schedule.read', args, invented: ['workspace'] };
    const refusal = await t.send('request a workspace that does not exist', unknown);
    await nameListed(t, [refusal], 'primary');
    const beyond = await beyondSole(t);
    if (beyond !== undefined) {
      const asked = { tool: 'schedule.read', args: { workspace: beyond }, as: 'sole' as const };
      const other = await t.send('request another workspace as sole', asked);
      await nameListed(t, [other], 'sole');
      if (slugsIn(other).length > 0) return;
    }
    if (slugsIn(refusal).length === 0) t.cannot('no refusal of an unreachable workspace lists workspaces');
  },
  requirements: [
    row('workspaces.unreachable-lists-passable', {
      must: 'The server MUST list only slugs of reachable workspaces when it refuses an unreachable one.',
      source: 'Error envelopes, tool refusal, workspaces',
      severity: 'data-isolation',
      ...choicesWork('unreachable'),
    }),
  ],
});

import type { StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

/** Requests with two independent invalid fields. */
export const badArguments = story('invalid arguments', {
  steps: async (t) => {
    await t.send('request an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
    const nowhere = { invented: ['workspace'] };
    await t.send('fetch without arguments in a workspace that does not exist', {
      tool: 'library.get',
      args: unknown,
      ...nowhere,
    });
    await t.send('fetch with an invalid kind and an invalid ID', {
      tool: 'library.get',
      args: t.here({ kind: 5, id: false }),
    });
    const pairs: readonly StoryRequest[] = [
      { tool: 'library.get', args: t.here() },
      { tool: 'library.get', args: t.here({ kind: 'tck-none', id: '' }) },
      { tool: 'library.search', args: { workspace: '', query: 7 } },
      { tool: 'knowledge.search', args: { workspace: 5, query: ['a'] } },
    ];
    for (const asked of pairs) await t.send('send arguments with two errors', asked);
  },
  alsoTests: ['arguments.issues-listed', 'arguments.all-fields-named'],
});

import { limits } from '../../../fixtures/contract/limits.ts';
import { creating } from '../requests/content.ts';
import { proposing } from '../requests/proposals.ts';
import type { Args, StoryRequest } from '../steps.ts';
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

export const badPairs = story('content requests and proposals with two errors', {
  needs: { effects: ['writes'] },
  steps: async (t) => {
    const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
    const pairs: readonly Args[] = [
      { format: 'reels', day: 'tomorrow' },
      { title: 'x'.repeat(limits.title.most + 1), tck_unknown: 'x' },
      { format: undefined, day: undefined },
    ];
    for (const change of pairs) await t.send('create with two errors', creating(t, change));
    await t.part(async () => {
      t.require('proposals');
      const { tool, args = {} } = proposing(t);
      const wrong: readonly Args[] = [
        { board: undefined, shape: undefined },
        { count: '1', brief: 5 },
      ];
      for (const change of wrong) await t.send('propose with two errors', { tool, args: { ...args, ...change } });
      await t.send('propose for an unknown board in an unknown workspace', {
        tool,
        args: { ...args, ...unknown, board: `tck-${t.text('unknown board')}` },
        invented: ['workspace', 'board'],
      });
    });
  },
  alsoTests: ['envelopes.no-server-error'],
});

import { limits } from '../../../fixtures/contract/limits.ts';
import { creating } from '../requests/content.ts';
import { proposing } from '../requests/proposals.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';

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

import { limits } from '../../fixtures/contract/limits.ts';
import { creating } from './content.ts';
import { flow } from './flow.ts';
import { proposing } from './images.ts';
import { readAll } from './read-all.ts';
import type { Args, Asked } from './steps.ts';

/** Two bad fields, of which neither depends on the other. */
export const badArguments = flow(
  'bad arguments',
  { lane: 'reading', witnesses: ['arguments.issues-listed', 'arguments.all-fields-named'] },
  async (t) => {
    await t.send('name an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
    const nowhere = { invented: ['workspace'] };
    await t.send('fetch nothing in a workspace that does not exist', {
      tool: 'library.get',
      args: unknown,
      ...nowhere,
    });
    await t.send('fetch with a bad kind and a bad id', { tool: 'library.get', args: t.here({ kind: 5, id: false }) });
    const pairs: readonly Asked[] = [
      { tool: 'library.get', args: t.here() },
      { tool: 'library.get', args: t.here({ kind: 'tck-none', id: '' }) },
      { tool: 'library.search', args: { workspace: '', query: 7 } },
      { tool: 'knowledge.search', args: { workspace: 5, query: ['a'] } },
    ];
    for (const asked of pairs) await t.send('ask with two faults', asked);
  },
);

/** Two things wrong with what writes, or proposes. */
export const badPairs = flow(
  'content requests and proposals with two faults',
  { lane: 'writing', needs: { effects: ['writes'] }, uses: ['content'], witnesses: ['envelopes.no-server-error'] },
  async (t) => {
    const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
    const pairs: readonly Args[] = [
      { format: 'reels', day: 'tomorrow' },
      { title: 'x'.repeat(limits.title.most + 1), tck_unknown: 'x' },
      { format: undefined, day: undefined },
    ];
    for (const change of pairs) await t.send('create with two faults', creating(t, change));
    await t.part(async () => {
      t.require('proposals');
      const { tool, args = {} } = proposing(t);
      const wrong: readonly Args[] = [
        { board: undefined, shape: undefined },
        { count: '1', brief: 5 },
      ];
      for (const change of wrong) await t.send('propose with two faults', { tool, args: { ...args, ...change } });
      await t.send('propose for an unknown board in an unknown workspace', {
        tool,
        args: { ...args, ...unknown, board: `tck-${t.text('unknown board')}` },
        invented: ['workspace', 'board'],
      });
    });
  },
);

/** Longer than an index or a model may take, and far shorter than what a server might call too large. */
const long = 'What do we say? '.repeat(80);

/** What decoders, databases and pattern languages stumble over. */
const unruly = `\u0000\ud800 *( [x ' " % \\ {{1}}`;

/**
 * Texts that fit the schema of a tool that reads; a database that keeps three bytes of a character breaks on the
 * fourth.
 */
const oddTexts: Readonly<Record<string, readonly Args[]>> = {
  'library.search': [
    ...['(', '*x', '\\', long].map((query) => ({ query })),
    { query: unruly },
    { query: '\u{1F98A} \u{20BB7}' },
  ],
  'library.get': [{ id: 'constructor' }, { kind: '__proto__' }, { id: long }],
  'knowledge.search': [{ query: unruly }, { query: long }],
};

export const oddReadings = flow(
  'odd values for tools that read',
  { lane: 'reading', witnesses: ['arguments.anything-answered'] },
  async (t) => {
    for (const { asked } of await readAll(t, 'read', t.here(), { once: true })) {
      for (const odd of oddTexts[asked.tool] ?? []) {
        await t.send('ask with an odd value', { ...asked, args: { ...asked.args, ...odd } });
      }
    }
  },
);

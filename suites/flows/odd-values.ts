import { flow } from './flow.ts';
import { readAll } from './read-all.ts';
import type { Args } from './steps.ts';

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
    ...['(', '[a', '*x', '\\'].map((query) => ({ query })),
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
    for (const { asked } of await readAll(t, 'read', t.here())) {
      for (const odd of oddTexts[asked.tool] ?? []) {
        await t.send('ask with an odd value', { ...asked, args: { ...asked.args, ...odd } });
      }
    }
  },
);

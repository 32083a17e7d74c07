import { limits } from '../../../fixtures/contract/limits.ts';
import { isOutcomeStatus } from '../../exchange/exchange.ts';
import { isRecord } from '../../json.ts';
import { row } from '../../model/row.ts';
import { sameRequest } from '../../model/rule.ts';
import { isValid } from '../../model/world/violations.ts';
import { creating } from '../requests/content.ts';
import { readAll } from '../requests/library.ts';
import { proposing } from '../requests/proposals.ts';
import type { Args, StoryRequest } from '../steps.ts';
import { story, toWrite } from '../story.ts';
import { reads } from '../workspaces/named-workspaces.ts';

export const badArguments = story('invalid arguments', {
  steps: async (t) => {
    await t.send('request an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const unknown = { workspace: t.unknownWorkspace() };
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
  needs: toWrite,
  steps: async (t) => {
    const unknown = { workspace: t.unknownWorkspace() };
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

/** Longer than some indexes and models accept, but far below any limit on the body size. */
const long = 'What do we say? '.repeat(80);

/** Characters that often break decoders, databases and pattern languages. */
const unruly = `\u0000\ud800 *( [x ' " % \\ {{1}}`;

/**
 * Texts that match the schema of a reading tool. The four-byte characters break databases that store at most three
 * bytes per character.
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

export const oddReadings = story('unusual values for read-only tools', {
  steps: async (t) => {
    for (const { asked } of await readAll(t, 'read', t.here(), { once: true })) {
      for (const odd of oddTexts[asked.tool] ?? []) {
        await t.send('send an unusual value', { ...asked, args: { ...asked.args, ...odd } });
      }
    }
  },
  requirements: [
    row('arguments.anything-answered', {
      must: 'The server MUST return a result, a refusal or a 400 for any JSON object sent to a tool that only reads.',
      source: 'What the service does, rules 1 and 5; Errors',
      applies: (exchange) => exchange.sender.kind === 'key' && reads(exchange) && isValid(exchange),
      // The twin shows that the key is served in this workspace.
      twin: (exchange, seen) => sameRequest(exchange, seen, { except: ['kind', 'id'] }),
      expect: ({ response: { status, json } }) =>
        (isOutcomeStatus(status) || status === 400) && isRecord(json)
          ? undefined
          : {
              want: { oneOf: [{ status: 200 }, { status: 400 }] },
              expected: 'HTTP 200 with a result or a refusal, or HTTP 400',
              hint: 'Return a result, a refusal or a 400 for any arguments: check how the tool handles these values.',
            },
    }),
  ],
});

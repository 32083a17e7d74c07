import { readingTools } from '../../../fixtures/contract/tools.ts';
import { sameRequest } from '../../expectations/promises.ts';
import { type Completed, isOutcomeStatus } from '../../history/exchange.ts';
import { isRecord } from '../../json.ts';
import { row } from '../../model/row.ts';
import { isValid } from '../../situations/violations.ts';
import { readAll } from '../requests/read-all.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';

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

const readsOnly = ({ request }: Completed) => readingTools.some((tool) => tool === request.tool);

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
      applies: (exchange) => exchange.sender.kind === 'key' && readsOnly(exchange) && isValid(exchange),
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

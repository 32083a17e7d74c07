import { check } from '../check.ts';
import type { Args } from '../engine/context.ts';
import { belowServerError, outcomeOrMalformed } from '../expect/answers.ts';
import { anythingHint } from '../fuzz/index.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { controlReadings } from '../scenes/reading.ts';

/** Longer than an index or a model may take, and far shorter than what a server might call too large. */
const long = 'What do we say? '.repeat(80);

/** What decoders, databases and pattern languages stumble over. */
const unruly = `\u0000\ud800 *( [x ' " % \\ {{1}}`;

/** Texts that fit the schema of a tool that reads, beside one with a good value for everything else. */
const oddReadings: Readonly<Record<string, readonly Args[]>> = {
  // A database that keeps three bytes of a character breaks on the fourth.
  'library.search': [{ query: unruly }, { query: '\u{1F98A} \u{20BB7}' }],
  'library.get': [{ id: 'constructor' }, { kind: '__proto__' }, { id: long }],
  'knowledge.search': [{ query: unruly }, { query: long }],
};

/** Whether these are refused or proposed is nowhere said. */
const oddRequests: readonly Args[] = [{ shape: 'square' }, { shape: '0:0' }, { count: 10_000_000_000 }];

/** Values that nobody thinks of until they break something. */
export const oddValues = [
  check({
    requirement: 'arguments.anything-answered',
    title: 'odd values: tools that read',
    async run(t) {
      const calls = (await controlReadings(t)).flatMap(({ tool, args }) =>
        (oddReadings[tool] ?? []).map((odd) => t.call(tool, { ...args, ...odd })),
      );
      if (calls.length === 0) t.cannot('no tool that takes a text answers a plain call');
      for (const answer of await Promise.all(calls)) t.expect(outcomeOrMalformed(answer, anythingHint));
    },
  }),
  check({
    requirement: 'envelopes.no-server-error',
    title: 'odd values: images.generate',
    needs: proposes,
    async run(t) {
      const { args } = await controlProposed(t);
      const calls = oddRequests.map((odd) => t.call('images.generate', { ...args, ...odd }, { odd: true }));
      for (const answer of await Promise.all(calls)) t.expect(belowServerError(answer));
    },
  }),
];

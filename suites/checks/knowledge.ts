import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldFits, fieldIs, fieldIsArray } from '../expect/fields.ts';
import { rule } from '../rule.ts';
import { question } from '../scenes/reading.ts';
import { everyResultOf } from '../scenes/results.ts';
import { invalidReading, typeHint } from '../scenes/wrong-type.ts';

const tool = 'knowledge.search';
const exercise = async (t: Context) => [await t.call(tool, t.here({ query: question }))];
const every = everyResultOf(tool, exercise);

/** Questions whose echo shows trimming, folding, escaping or normalising. */
const telling = [
  '  Who is "Zoë" & <what> does she \\ say?  ',
  'naïve café \u{1F98A} e\u0301',
  'PRICES + 5%20\nMORE',
  'What do we say? '.repeat(20),
  // Asked in another spelling besides: an answer that was kept for the one is not for the other.
  ` ${question.toLowerCase()} `,
];

/** A query that matches nothing, wherever something may match nothing. */
const meaningless = (t: Context) => `${t.text('no word', 12)} ${t.text('nor this', 11)}`;

/** Whether there are hits. */
function hasHits(exchange: Answered): boolean {
  const { hits } = body(exchange);
  return Array.isArray(hits) && hits.length > 0;
}

export const knowledge = [
  check({
    requirement: 'knowledge.answers',
    async run(t) {
      t.expect(succeeds(await t.call(tool, t.here({ query: question })), 'a whole question is what this tool is for'));
    },
  }),
  rule({
    requirement: 'knowledge.query-echoed',
    applies: (exchange) =>
      exchange.request.tool === tool &&
      body(exchange).ok === true &&
      typeof exchange.request.args?.query === 'string' &&
      exchange.request.args.query.isWellFormed(),
    verdict: (exchange) => {
      const hint = 'return the query as it came, before it is trimmed, folded or normalised for matching';
      return fieldIs(exchange, 'query', exchange.request.args?.query, hint);
    },
    exercise: async (t) => [
      ...(await exercise(t)),
      ...(await Promise.all(telling.map((query) => t.call(tool, t.here({ query }))))),
    ],
  }),
  everyResultOf(tool, async (t) => [...(await exercise(t)), await t.call(tool, t.here({ query: meaningless(t) }))])(
    'knowledge.hits',
    (exchange) => fieldIsArray(exchange, 'hits', 'an empty array where nothing matches'),
  ),
  {
    ...every(
      'knowledge.hit-fields',
      (exchange) =>
        fieldFits(
          exchange,
          'KnowledgeSearchResult',
          'hits',
          'source and excerpt are strings, and relevance is a number',
        ),
      hasHits,
    ),
    async run(t: Context) {
      const [answer] = await exercise(t);
      if (answer === undefined || !hasHits(answer)) {
        t.cannot('the knowledge base shows no hit', { kind: 'data', what: 'a knowledge hit' });
      }
    },
  },
  invalidReading('knowledge.query-wrong-type-refused', tool, 'query', [0, ['a']], 'path', typeHint),
];

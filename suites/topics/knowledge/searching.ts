import { textRows } from '../../../fixtures/mutations/bodies.ts';
import { type Completed, elements } from '../../exchange/exchange.ts';
import { has, is } from '../../model/answers.ts';
import { row } from '../../model/row.ts';
import { resultOf } from '../../model/rows/results.ts';
import { question } from '../requests/library.ts';
import { story } from '../story.ts';

const tool = 'knowledge.search';

const hasHits = (exchange: Completed) => elements(exchange, 'hits').length > 0;

/** Questions whose echo reveals trimming, case folding, escaping, decoding or normalization. */
const telling = [
  '  Who is "Zoë" & <what> does she \\ say?  ',
  'naïve café \u{1F98A} e\u0301',
  'PRICES + 5%20\nMORE',
  'What do we say? '.repeat(20),
  // Quotation marks around the text, which decoders remove.
  '"Who reads us?"',
  // Texts that are too long for a column, a URL or a buffer.
  'What do we say? '.repeat(1300),
  'What do we say? '.repeat(3800),
  // Halves of surrogate pairs, at both ends. An encoder of UTF-8 may fail.
  '\udc00 Who reads us? \ud83e',
  // An empty question, if the service accepts it.
  '',
  // Words that search engines ignore, so that nothing remains to be ranked.
  'the of and',
  // Other spellings of the default question, which reveal responses from a cache.
  question.toLowerCase(),
  ` ${question} `,
];

export const searchingKnowledge = story('searching knowledge', {
  steps: async (t) => {
    const ask = (step: string, query: unknown) => t.send(step, { tool: 'knowledge.search', args: t.here({ query }) });
    const exchange = await ask('search for an answer', question);
    for (const query of [...Object.values(textRows).flatMap(({ values }) => values), ...telling])
      await ask('search with characters that filters change', query);
    await ask('search for something unknown', `zzxq${t.text('no word', 12)} qqz${t.text('nor this', 11)}`);
    const what = 'a knowledge hit';
    if (!hasHits(exchange)) t.cannot('the knowledge base shows no hit', { kind: 'data', what });
  },
  requirements: [
    row('knowledge.query-echoed', {
      must: 'The server MUST send the query unchanged as the `query` of the result.',
      source: tool,
      applies: resultOf(tool, ({ request: { args } }) => typeof args?.query === 'string' && args.query.isWellFormed()),
      answers: ({ request }) => [is('query', request.args?.query)],
      hint: 'Return the query as you received it, before you trim, fold or normalize it.',
    }),
    row('knowledge.hits', {
      must: 'The server MUST send `hits` as an array.',
      source: tool,
      applies: resultOf(tool),
      answers: [has('hits', { elements: 0 })],
      hint: 'Send an array, empty if nothing matches.',
    }),
    row('knowledge.hit-fields', {
      must: 'The server MUST send the strings `source` and `excerpt` and the number `relevance` with every hit.',
      source: 'Knowledge hit; knowledge.search',
      applies: resultOf(tool, hasHits),
      answers: [has('hits', { fits: 'KnowledgeSearchResult' })],
      hint: 'Send source and excerpt as strings, and relevance as a number.',
    }),
  ],
});

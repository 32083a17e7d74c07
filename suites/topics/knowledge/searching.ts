import { must } from '../../../fixtures/requirements/model.ts';
import { fieldIs, fieldIsArray } from '../../expectations/fields.ts';
import { everyResult, resultField } from '../../expectations/results.ts';
import { rule } from '../../expectations/rule.ts';
import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import { argumentIds } from '../../model/rows/arguments.ts';
import { question } from '../requests/library.ts';
import { story } from '../story.ts';

const tool = 'knowledge.search';

const hasHits = (exchange: Completed) => [body(exchange).hits].flat().length > 0 && Array.isArray(body(exchange).hits);

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
    for (const query of telling) await ask('search with characters that filters change', query);
    await ask('search for something unknown', `zzxq${t.text('no word', 12)} qqz${t.text('nor this', 11)}`);
    for (const query of [0, ['a']]) await ask('search with a query of the wrong type', query);
    const { hits } = body(exchange);
    const what = 'a knowledge hit';
    if (!Array.isArray(hits) || hits.length === 0) t.cannot('the knowledge base shows no hit', { kind: 'data', what });
  },
  requirements: [
    rule(
      must(
        'knowledge.query-echoed',
        'The server MUST send the query unchanged as the `query` of the result.',
        'knowledge.search',
      ),
      {
        applies: (exchange) => {
          const query = exchange.request.args?.query;
          return (
            exchange.request.tool === tool && isSuccess(exchange) && typeof query === 'string' && query.isWellFormed()
          );
        },
        expect: (exchange) =>
          fieldIs(
            exchange,
            'query',
            exchange.request.args?.query,
            'Return the query as you received it, before you trim, fold or normalize it.',
          ),
      },
    ),
    everyResult(
      must('knowledge.hits', 'The server MUST send `hits` as an array.', 'knowledge.search'),
      tool,
      (exchange) => fieldIsArray(exchange, 'hits', 'Send an array, empty if nothing matches.'),
    ),
    resultField(
      must(
        'knowledge.hit-fields',
        'The server MUST send the strings `source` and `excerpt` and the number `relevance` with every hit.',
        'Knowledge hit; knowledge.search',
      ),
      tool,
      'KnowledgeSearchResult',
      'hits',
      'Send source and excerpt as strings, and relevance as a number.',
      hasHits,
    ),
  ],
  alsoTests: argumentIds(tool),
});

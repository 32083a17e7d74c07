import { body, type Completed, isSuccess } from '../history/exchange.ts';
import { typeHint } from './answers.ts';
import { fieldIs, fieldIsArray } from './match/fields.ts';
import { everyResult, resultField } from './results.ts';
import { type Rule, rule } from './rule.ts';
import { refusesField } from './violations.ts';

const tool = 'knowledge.search';

const hasHits = (exchange: Completed) => [body(exchange).hits].flat().length > 0 && Array.isArray(body(exchange).hits);

/** What `knowledge.search` returns. */
export const knowledge: readonly Rule[] = [
  rule('knowledge.query-echoed', {
    applies: (exchange) => {
      const query = exchange.request.args?.query;
      return exchange.request.tool === tool && isSuccess(exchange) && typeof query === 'string' && query.isWellFormed();
    },
    expect: (exchange) =>
      fieldIs(
        exchange,
        'query',
        exchange.request.args?.query,
        'Return the query as you received it, before you trim, fold or normalize it.',
      ),
  }),
  everyResult('knowledge.hits', tool, (exchange) =>
    fieldIsArray(exchange, 'hits', 'Send an array, empty if nothing matches.'),
  ),
  resultField(
    'knowledge.hit-fields',
    tool,
    'KnowledgeSearchResult',
    'hits',
    'Send source and excerpt as strings, and relevance as a number.',
    hasHits,
  ),
  refusesField('knowledge.query-wrong-type-refused', [tool], 'query', ['type'], typeHint),
];

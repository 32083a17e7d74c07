import { changing, field, list, result } from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Returns whether a hit matches no query word. The stub returns weak hits for every query. */
const weak = (hit: unknown) => typeof hit === 'object' && hit !== null && 'relevance' in hit && hit.relevance === 0.1;

/** Defects on unusual values: names of object-prototype members, patterns, long strings and empty values. */
export const oddValueDefects = {
  'hits-null-where-none-match': defect('sends hits as null if nothing matches the query')
    .breaks('knowledge.hits')
    .by(
      changing(
        result('knowledge.search'),
        list('hits', (hits) => (hits.every(weak) ? null : hits)),
      ),
    ),
  'question-in-the-spelling-kept': defect(
    'ignores letter case when it caches responses of knowledge.search, so the echoed query can be an earlier one',
  )
    .breaks('knowledge.query-echoed')
    .by((behavior) => {
      const kept = new Map<string, unknown>();
      return changing(
        result('knowledge.search'),
        field('query', (query) => {
          const plain = String(query).trim().toLowerCase();
          if (!kept.has(plain)) kept.set(plain, query);
          return kept.get(plain);
        }),
      )(behavior);
    }),
};

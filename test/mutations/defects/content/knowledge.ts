import { type Change, changing, each, field, list, result } from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

const knowledge = (...changes: readonly Change[]) => changing(result('knowledge.search'), ...changes);

export const knowledgeDefects = {
  'query-normalised': defect('converts the query that knowledge.search echoes to Unicode normalization form NFC')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).normalize('NFC')))),
  'relevance-as-text': defect('sends the relevance of a hit as a string')
    .breaks('knowledge.hit-fields')
    .by(knowledge(each('hits', (hit) => ({ ...hit, relevance: String(hit.relevance) })))),
  'relevance-null-of-the-weakest': defect('sends null as the relevance of the weakest hit')
    .breaks('knowledge.hit-fields')
    .by(knowledge(list('hits', (hits) => [...hits.slice(0, -1), { ...Object(hits.at(-1)), relevance: null }]))),
};

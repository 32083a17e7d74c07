import { type Change, changing, each, field, result } from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

const knowledge = (...changes: readonly Change[]) => changing(result('knowledge.search'), ...changes);

export const knowledgeDefects = {
  'query-normalised': defect('converts the query that knowledge.search echoes to Unicode normalization form NFC')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).normalize('NFC')))),
  'relevance-as-text': defect('sends the relevance of a hit as a string')
    .breaks('knowledge.hit-fields')
    .by(knowledge(each('hits', (hit) => ({ ...hit, relevance: String(hit.relevance) })))),
};

import { byNumber, outOfList, refusing } from '../../changes/arguments.ts';
import { type Change, changing, each, field, fields, list, result } from '../../changes/responses.ts';
import { defect } from '../defect.ts';

const knowledge = (...changes: readonly Change[]) => changing(result('knowledge.search'), ...changes);

export const knowledgeDefects = {
  'whole-questions-refused': defect('refuses a query of more than five words in knowledge.search')
    .breaks('knowledge.answers', 'workspaces.argument-honoured-every-tool', 'workspaces.ambiguous-knowledge-search')
    .by(refusing('query', (query) => String(query).split(' ').length > 5, 'knowledge.search')),
  'query-trimmed': defect('removes white space around the query that knowledge.search echoes')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).trim()))),
  'query-echoed-in-lower-case': defect('echoes the query of knowledge.search in lower case')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).toLowerCase()))),
  'query-escaped': defect('escapes HTML characters in the query that knowledge.search echoes')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).replaceAll('&', '&amp;').replaceAll('<', '&lt;')))),
  'query-normalised': defect('converts the query that knowledge.search echoes to Unicode normalization form NFC')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).normalize('NFC')))),
  'query-not-echoed': defect('leaves out the member query from the results of knowledge.search')
    .breaks('knowledge.query-echoed')
    .by(knowledge(fields({ query: undefined }))),
  'hits-null': defect('sends the member hits as null')
    .breaks('knowledge.hits')
    .by(knowledge(fields({ hits: null }))),
  'hits-in-pages': defect('sends the member hits as an object with pages')
    .breaks('knowledge.hits')
    .by(knowledge(field('hits', (hits) => ({ pages: [hits] })))),
  'relevance-as-text': defect('sends the relevance of a hit as a string')
    .breaks('knowledge.hit-fields')
    .by(knowledge(each('hits', (hit) => ({ ...hit, relevance: String(hit.relevance) })))),
  'relevance-null-of-the-weakest': defect('sends null as the relevance of the weakest hit')
    .breaks('knowledge.hit-fields')
    .by(knowledge(list('hits', (hits) => [...hits.slice(0, -1), { ...Object(hits.at(-1)), relevance: null }]))),
  'source-as-object': defect('sends the source of a hit as an object')
    .breaks('knowledge.hit-fields')
    .by(knowledge(each('hits', ({ source, ...hit }) => ({ ...hit, source: { name: source } })))),
  'excerpt-left-out': defect('leaves out the excerpt of a hit')
    .breaks('knowledge.hit-fields')
    .by(knowledge(each('hits', (hit) => ({ ...hit, excerpt: undefined })))),
  'question-by-number': defect('accepts a number as the query of knowledge.search')
    .breaks('knowledge.query-wrong-type-refused')
    .by(byNumber('query', 'knowledge.search')),
  'question-out-of-a-list': defect('accepts an array as the query of knowledge.search and joins its elements')
    .breaks('knowledge.query-wrong-type-refused')
    .by(outOfList('query', 'knowledge.search')),
};

import { wordsOf } from '../../../fixtures/world/words.ts';
import type { ConformingTool } from '../behavior.ts';
import { scoped } from './scoped.ts';

/** Number of hits per response. Weak hits are included; clients filter them ("Knowledge hit", relevance). */
const listed = 5;

/** Ranks passages by the share of query words that they contain. The stub needs no semantic search. */
export const searchKnowledge: ConformingTool<'knowledge.search'> = ({ args, place }) => {
  const query = args.query ?? '';
  const asked = [...wordsOf(query)];
  const hits = place.workspace.content.knowledge
    .map(({ source, excerpt, words }) => {
      const share = asked.filter((word) => words.has(word)).length / Math.max(1, asked.length);
      return { source, excerpt, relevance: Math.round(100 + 900 * share) / 1000 };
    })
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, listed);
  return scoped(place, { ok: true, query, hits });
};

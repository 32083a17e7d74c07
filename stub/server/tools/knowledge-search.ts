import { wordsOf } from '../../../fixtures/world/words.ts';
import type { Tool } from '../behavior.ts';
import { scoped } from './scoped.ts';

/**
 * How many hits one response has, strong or weak: clients drop the weak ones themselves ("Knowledge hit", relevance).
 */
const listed = 5;

/** Ranks passages by the share of the question's words that they hold: as near to meaning as a stub needs to come. */
export const searchKnowledge: Tool<'knowledge.search'> = ({ args, place }) => {
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

import type { Tool } from '../call.ts';
import { scoped } from './scoped.ts';

/** How many hits one answer has, strong or weak: clients drop the weak ones themselves ("Knowledge hit", relevance). */
const listed = 5;

/** Ranks passages by the share of the question's words that they hold: as near to meaning as a stub needs to come. */
export const searchKnowledge: Tool<'knowledge.search'> = ({ args, place }) => {
  const query = args.query ?? '';
  const asked = words(query);
  const hits = place.workspace.content.knowledge
    .map(({ source, excerpt }) => {
      const held = words(`${source} ${excerpt}`);
      const shared = [...asked].filter((word) => held.has(word)).length;
      return { source, excerpt, relevance: Math.round((0.1 + (0.9 * shared) / Math.max(1, asked.size)) * 1000) / 1000 };
    })
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, listed);
  return scoped(place, { query, hits });
};

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu));
}

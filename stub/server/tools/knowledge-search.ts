import type { ConformingTool } from '../behavior.ts';
import { scoped } from './scoped.ts';

/** Number of hits per response. Weak hits are included; clients filter them ("Knowledge hit", relevance). */
const listed = 5;

/** Ranks passages by the share of query words that they contain. The stub needs no semantic search. */
export const searchKnowledge: ConformingTool<'knowledge.search'> = ({ args, place }) => {
  const query = args.query ?? '';
  const asked = [...wordsOf(query)];
  const hits = place.workspace.content.knowledge
    .map(({ source, excerpt }) => {
      const words = wordsOf(`${source} ${excerpt}`);
      const share = asked.filter((word) => words.has(word)).length / Math.max(1, asked.length);
      return { source, excerpt, relevance: Math.round(100 + 900 * share) / 1000 };
    })
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, listed);
  return scoped(place, { ok: true, query, hits });
};

/** Searchable words of a text: at least three letters, in lowercase. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu));
}

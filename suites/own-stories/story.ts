import type { Story, StoryParts } from '../topics/story.ts';
import { story as kitStory } from '../topics/story.ts';

/** Parts of a story that a team writes. */
export type OwnStoryParts = Omit<StoryParts, 'steps'> & {
  /** Most requests that the story sends with one key. Default: 50. */
  readonly mostRequests?: number;
  /** Sends the requests. Without it, the rules judge the requests of all other stories. */
  readonly steps?: Story['steps'];
};

const usualRequests = 50;

/** A story of a team: requests, and the requirements that they test. */
export function story(name: string, parts: OwnStoryParts): Story {
  const { turn, uses = [], mostRequests = usualRequests, steps = async () => {}, ...rest } = parts;
  // A story that exhausts a rate limit would disturb all others.
  const isThrottling = rest.needs?.effects?.includes('throttling') === true;
  const when = turn ?? (isThrottling ? 'last' : undefined);
  return { ...kitStory(name, { ...rest, uses, ...(when === undefined ? {} : { turn: when }), steps }), mostRequests };
}

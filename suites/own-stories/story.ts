import type { Lane, Story, StoryParts } from '../topics/story.ts';
import { story as kitStory } from '../topics/story.ts';

/** Parts of a story that a team writes. */
export type OwnStoryParts = Omit<StoryParts, 'lane' | 'steps'> & {
  /** Default: the lane that fits the side effects in `needs`. */
  readonly lane?: Lane;
  /** Most requests that the story sends with one key. Default: 50. */
  readonly mostRequests?: number;
  /** Sends the requests. Without it, the rules judge the requests of all other stories. */
  readonly steps?: Story['steps'];
};

const usualRequests = 50;

/** A story of a team: requests, and the requirements that they test. */
export function story(name: string, parts: OwnStoryParts): Story {
  const { lane, mostRequests = usualRequests, steps = async () => {}, ...rest } = parts;
  return { ...kitStory(name, { ...rest, lane: lane ?? laneOf(rest), steps }), mostRequests };
}

/** The lane in which the side effects of a story do not disturb other stories. */
function laneOf({ needs = {}, images = 0 }: OwnStoryParts): Lane {
  const { effects = [], time = false } = needs;
  if (effects.includes('throttling')) return 'limits';
  if (time) return 'clock';
  if (images > 0 || effects.includes('proposals') || effects.includes('spending')) return 'images';
  return effects.includes('writes') ? 'writing' : 'reading';
}

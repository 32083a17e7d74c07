import type { SentExchange } from '../session/sent-exchange.ts';
import type { Story } from '../topics/story.ts';

/**
 * Returns the total duration of the requests for each requirement, in milliseconds. Requests count for every
 * requirement that their story tests, and stories run concurrently. Therefore the durations add up to more than the
 * duration of the run.
 */
export function durationsOf(
  sent: readonly Pick<SentExchange, 'durationMs' | 'request'>[],
  stories: readonly Pick<Story, 'name' | 'witnesses'>[],
): ReadonlyMap<string, number> {
  const byStory = new Map<string, number>();
  for (const { request, durationMs } of sent) {
    const [story = ''] = request.step?.split(': ') ?? [];
    byStory.set(story, (byStory.get(story) ?? 0) + durationMs);
  }
  const all = new Map<string, number>();
  for (const { name, witnesses } of stories) {
    for (const id of witnesses) all.set(id, (all.get(id) ?? 0) + (byStory.get(name) ?? 0));
  }
  return new Map([...all].map(([id, durationMs]) => [id, Math.round(durationMs * 10) / 10]));
}

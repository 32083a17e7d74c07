import type { StoryRequest } from '../topics/steps.ts';
import type { Move } from './move.ts';

/** Sends one request, or repeats it. */
export function sending(title: string, asked: StoryRequest, times = 1): Move {
  return {
    title,
    requests: times,
    creates: asked.tool === 'content.create_request' ? times : 0,
    play: async ({ t }) => {
      for (let number = 1; number <= times; number += 1) await t.send(title, asked);
    },
  };
}

/** Sends requests one after another, or all at once. */
export function sendingAll(title: string, requests: readonly StoryRequest[], atOnce = false): Move {
  return {
    title,
    requests: requests.length,
    play: async ({ t }) => {
      if (atOnce) await t.sendInParallel(title, requests);
      else for (const asked of requests) await t.send(title, asked);
    },
  };
}

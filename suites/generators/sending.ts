import type { Args, StoryRequest } from '../topics/steps.ts';
import type { Move } from './move.ts';

/** Arguments with free text. */
const texts = ['title', 'brief', 'query'];

/** Sends one request, or repeats it. */
export function sending(title: string, asked: StoryRequest, times = 1): Move {
  return {
    title,
    requests: times,
    creates: asked.tool === 'content.create_request' ? times : 0,
    play: async ({ t }) => {
      for (let number = 1; number <= times; number += 1) await t.send(title, asked);
    },
    simpler: () => [
      ...(times > 1 ? [sending(title, asked, Math.ceil(times / 2))] : []),
      ...shorter(asked.args).map((args) => sending(title, { ...asked, args }, times)),
    ],
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
    simpler: () =>
      requests.length === 1
        ? []
        : requests.map((_, left) =>
            sendingAll(
              title,
              requests.filter((__, index) => index !== left),
              atOnce,
            ),
          ),
  };
}

/** Returns the arguments with one text cut in half, for each half. */
function shorter(args: Args = {}): Args[] {
  return texts.flatMap((name) => {
    const value = args[name];
    if (typeof value !== 'string' || value.length < 2) return [];
    const middle = Math.ceil(value.length / 2);
    return [value.slice(0, middle), value.slice(middle)].map((half) => ({ ...args, [name]: half }));
  });
}

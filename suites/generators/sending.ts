import type { Args, Asked } from '../flows/steps.ts';
import type { Move } from './move.ts';

/** Texts that may be any others. */
const texts = ['title', 'brief', 'query'];

/** Sends one request, or the same several times in a row. */
export function sending(title: string, asked: Asked, times = 1): Move {
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

/** Sends requests one after the other, or all at one moment. */
export function sendingAll(title: string, requests: readonly Asked[], atOnce = false): Move {
  return {
    title,
    requests: requests.length,
    play: async ({ t }) => {
      if (atOnce) await t.sendAll(title, requests);
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

/** The same arguments with half of one text. */
function shorter(args: Args = {}): Args[] {
  return texts.flatMap((name) => {
    const value = args[name];
    if (typeof value !== 'string' || value.length < 2) return [];
    const middle = Math.ceil(value.length / 2);
    return [value.slice(0, middle), value.slice(middle)].map((half) => ({ ...args, [name]: half }));
  });
}

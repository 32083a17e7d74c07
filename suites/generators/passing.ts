import { bearer } from '../session/credentials.ts';
import type { Kind } from './move.ts';

/** Minutes around the limits of a confirmation: certainly alive, about to expire, certainly dead. */
const minutes = [1, 4, 10, 15, 19, 20, 46, 50];

const window = 61;

/** Time that passes, and a key that is brought to its rate limit. */
export const passingMoves: readonly Kind[] = [
  {
    weight: 2,
    make: ({ random, time }) => {
      const passed = random.pick(minutes);
      const title = `let ${passed} minutes pass`;
      return time ? { title, requests: 0, play: ({ t }) => t.pass(passed, title) } : undefined;
    },
  },
  {
    weight: 1,
    make: ({ random, roles, allows, time }) => {
      if (!roles.includes('throttled') || !allows('throttling') || !time || !random.oneIn(4)) return undefined;
      const [most, tool] = [random.pick([20, 40, 70]), random.pick(['credits.balance', 'schedule.read'])];
      const title = 'use up a rate limit';
      return {
        title,
        requests: most + 4,
        play: async ({ t }) => {
          const as = bearer(t.key('throttled'));
          for (let number = 1; number <= most; number += 1) {
            const { response } = await t.send(title, { tool, args: {}, as, wants429: true });
            if (response.status === 429) break;
          }
          await t.send('ask with another key meanwhile', { tool: 'credits.balance', args: {} });
          await t.send('ask for another tool', { tool: 'connections.status', args: t.here(), as, wants429: true });
          await t.elapse(window, 'the window of a rate limit');
          await t.send('ask after waiting', { tool, args: {}, as, wants429: true });
        },
      };
    },
  },
];

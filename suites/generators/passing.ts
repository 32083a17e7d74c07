import { limits, longestWaitMinutes } from '../../fixtures/contract/limits.ts';
import type { Completed } from '../history/exchange.ts';
import { retryAfter } from '../history/retry-after.ts';
import { bearer } from '../session/credentials.ts';
import type { StoryRequest } from '../topics/steps.ts';
import type { Kind } from './move.ts';

/** Ages of confirmation IDs in minutes: certainly valid, close to expiry, and certainly expired. */
const { about, fresh, surelyAlive, surelyDead } = limits.confirmation;
const minutes = [
  ...[1, fresh - 1, surelyAlive / 2, about / 2, surelyAlive - 1, surelyAlive],
  ...[longestWaitMinutes, surelyDead + fresh],
];

const window = 61;

/** Lets time pass, and exhausts the rate limit of a key. */
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
      if (!roles.includes('throttled') || !allows('throttling') || !time || !random.oneIn(3)) return undefined;
      const [most, tool] = [random.pick([20, 40, 70]), random.pick(['credits.balance', 'schedule.read'])];
      const waits = Array.from({ length: 3 }, () => [random.between(0, 25), random.between(0, 8)] as const);
      const title = 'use up a rate limit';
      return {
        title,
        requests: most + 4 + waits.reduce((sum, [, more]) => sum + more, 0),
        play: async ({ t }) => {
          const asked: StoryRequest = { tool, args: {}, as: bearer(t.key('throttled')), wants429: true };
          let last: Completed | undefined;
          for (let number = 1; number <= most; number += 1) {
            last = await t.send(title, asked);
            if (last.response.status === 429) break;
          }
          await t.send('ask with another key meanwhile', { tool: 'credits.balance', args: {} });
          await t.send('ask for another tool', { ...asked, tool: 'connections.status', args: t.here() });
          // Further requests within the window may extend the wait.
          for (const [seconds, more] of waits) {
            if (last?.response.status !== 429) break;
            await t.elapse(seconds, 'a part of the window of a rate limit');
            for (let number = 1; number <= more; number += 1)
              last = await t.send('send another request over the limit', asked);
          }
          await t.elapse((last && retryAfter(last)) ?? window, 'the window of a rate limit');
          await t.send('send a request after the wait', asked);
        },
      };
    },
  },
];

import { type Completed, isSuccess } from '../../exchange/exchange.ts';
import { row } from '../../model/row.ts';
import { sameRequest } from '../../model/rule.ts';
import { describe } from '../../model/words.ts';
import { unknownKey } from '../../session/credentials.ts';
import type { StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { isElsewhere } from '../workspaces/reach.ts';

/** Statuses of a request that ran with some key, or was refused for its key. */
const decided = [200, 401, 403];

/** Whether a request ran with its own key. */
const isOwn = (exchange: Completed) =>
  exchange.sender.kind === 'key' ? isSuccess(exchange) && !isElsewhere(exchange) : exchange.response.status === 401;

/** Sends the headers of a request, then a whole request of another key, and then the rest of the first request. */
export const slowBodies = story('slow bodies', {
  turn: 'first',
  steps: async (t) => {
    const ours: StoryRequest = { tool: 'schedule.read', args: t.here() };
    const unknown = unknownKey(t.key('primary'), t.text('unknown key with a slow body', 32));
    const [other] = t.present(['otherAccount', 'sole', 'pinned']);
    await t.sendOnce('read', ours);
    for (const as of other === undefined ? [unknown] : [other, unknown])
      await t.sendAround('read with two keys in turn', ours, { tool: 'credits.balance', args: {}, as });
    await t.sendAround('read with two keys in turn', { tool: 'schedule.read', args: {}, as: unknown }, ours);
  },
  requirements: [
    row('authentication.own-key-decides', {
      must:
        'The server MUST run a request with its own key, even if it receives requests of other keys ' +
        'before the body.',
      source: 'Authentication, 1 and 3',
      severity: 'data-isolation',
      judges: 'every response',
      applies: ({ around, response }) => around !== undefined && decided.includes(response.status),
      twin: (exchange, seen) => (exchange.sender.kind === 'key' ? sameRequest(exchange, seen) : seen.successes.any),
      expect: (exchange) => {
        if (isOwn(exchange)) return undefined;
        const { sender, around } = exchange;
        const key = `the key '${sender.label}'`;
        return {
          at: 'exchanges',
          expected: sender.kind === 'key' ? `the result of ${key}` : `HTTP 401 for ${key}`,
          actual: `${describe(exchange)}, after a request of the key '${around?.sender.label}'`,
          hint: 'Keep the caller with its request, not in a global, a singleton or a thread that serves several.',
          exchanges: [...(around === undefined ? [] : [around]), exchange],
        };
      },
    }),
  ],
});

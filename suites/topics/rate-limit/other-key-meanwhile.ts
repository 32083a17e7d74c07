import { must } from '../../../fixtures/requirements/model.ts';
import { byOthers } from '../../expectations/finding.ts';
import { describe } from '../../expectations/responses.ts';
import { rule } from '../../expectations/rule.ts';
import { body, type Completed } from '../../history/exchange.ts';
import { mayDiffer } from '../../history/history.ts';
import { retryAfter } from '../../history/retry-after.ts';
import { isOutcomeStatus } from '../../outcome-status.ts';
import { isLimited } from '../../situations/limits.ts';
import type { Seen } from '../../situations/seen.ts';
import { briefFor, proposing } from '../requests/proposals.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { isClosed, wasEverServed } from './limited.ts';
import { aMinute, needs, stillOver } from './until-limited.ts';

/** Returns the last response before this request if it is a 429 to another key of the account. */
function overOfOtherKey(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, false);
  const [one, other] = [exchange.sender.role, over?.sender.role ?? null];
  if (one === null || other === null || exchange.sender.kind !== 'key') return undefined;
  return mayDiffer(one, other, seen.knowledge) ? undefined : over;
}

/** Returns the confirmation of a proposal by the key, if the run may spend and other stories have proposed. */
async function proposeWithLimit(t: Steps): Promise<StoryRequest | undefined> {
  if (!t.target.allow.includes('spending') || t.deployment.proposal === undefined) return undefined;
  const how = { as: 'throttled', wants429: true } as const;
  const asked = { ...proposing(t, { brief: briefFor(t, `over the limit ${t.attempt}`) }), ...how };
  const { confirmation_id } = body(await t.send('propose', asked));
  if (typeof confirmation_id !== 'string') return undefined;
  return { ...asked, args: { ...asked.args, confirmation_id } };
}

/** Sends requests with another key of the account while one key is over its limit. */
export const otherKeyMeanwhile = story('another key during a rate limit', {
  turn: 'last',
  needs: { ...needs, roles: ['throttled', 'primary'] },
  images: 1,
  steps: async (t) => {
    const open = await proposeWithLimit(t);
    await t.send('send a request with the other key', { tool: 'credits.balance', args: {}, wants429: true });
    await stillOver(t);
    // A server may count the request only after it ran. The balance shows this.
    if (open !== undefined && !isLimited(await t.send('confirm over the limit', open))) await stillOver(t);
    const reply = await t.send('send a request with the other key meanwhile', {
      tool: 'credits.balance',
      args: {},
      wants429: true,
    });
    if (!isLimited(reply)) return;
    // The other key may have reached its own limit, or one that both share.
    await t.elapse(
      Math.max(aMinute, retryAfter(reply) ?? 1),
      'requests of the last minute have to leave the window of the rate limit',
    );
    t.disturbed('the other key is over a limit too, which the keys may share');
  },
  requirements: [
    rule(
      must(
        'rate-limit.per-key',
        'While a key is over its rate limit, the server MUST still serve the other keys of the account.',
        'Limits, rate cap; Errors, 429',
      ),
      {
        everyResponse: true,
        applies: (exchange, seen) => {
          if (overOfOtherKey(exchange, seen) === undefined || exchange.odd || !seen.knowledge.complete) return false;
          if (isLimited(exchange)) return seen.limits.isBelowOthers(exchange);
          return isOutcomeStatus(exchange.response.status) || isClosed(exchange);
        },
        twin: wasEverServed,
        expect: (exchange, seen) => {
          const over = overOfOtherKey(exchange, seen);
          if (over === undefined || (!isLimited(exchange) && !isClosed(exchange))) return undefined;
          const { label } = exchange.sender;
          return {
            expected:
              `the key in the role '${label}' to be served while the one in the role '${over.sender.label}' is ` +
              'over its limit',
            actual: describe(exchange),
            hint: 'Count requests by key, not by account or address.',
            ...(isLimited(exchange) ? { refutable: byOthers } : {}),
            exchanges: [over, exchange],
          };
        },
      },
    ),
  ],
});

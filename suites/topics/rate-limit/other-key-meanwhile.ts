import { byOthers } from '../../expectations/finding.ts';
import { type Completed, isKeyRefused, isOutcomeStatus, retryAfter } from '../../history/exchange.ts';
import { mayDiffer } from '../../history/history.ts';
import { row } from '../../model/row.ts';
import { isLimited } from '../../situations/limits.ts';
import type { Seen } from '../../situations/seen.ts';
import { story } from '../story.ts';
import { aMinute, needs, reachLimitAgain, wasEverServed } from './until-limited.ts';

/** Returns the last response before this request if it is a 429 to another key of the account. */
function overOfOtherKey(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, false);
  const [one, other] = [exchange.sender.role, over?.sender.role ?? null];
  if (one === null || other === null || exchange.sender.kind !== 'key') return undefined;
  return mayDiffer(one, other, seen.knowledge) ? undefined : over;
}

/** Sends requests with another key of the account while one key is over its limit. */
export const otherKeyMeanwhile = story('another key during a rate limit', {
  turn: 'last',
  needs: { ...needs, roles: ['throttled', 'primary'] },
  steps: async (t) => {
    await t.send('send a request with the other key', { tool: 'credits.balance', args: {}, wants429: true });
    await reachLimitAgain(t);
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
    row('rate-limit.per-key', {
      must: 'While a key is over its rate limit, the server MUST still serve the other keys of the account.',
      source: 'Limits, rate cap; Errors, 429',
      judges: 'every response',
      applies: (exchange, seen) => {
        if (overOfOtherKey(exchange, seen) === undefined || exchange.odd || !seen.knowledge.complete) return false;
        if (isLimited(exchange)) return seen.limits.isBelowOthers(exchange);
        return isOutcomeStatus(exchange.response.status) || isKeyRefused(exchange);
      },
      twin: wasEverServed,
      expect: (exchange, seen) => {
        const over = overOfOtherKey(exchange, seen);
        if (over === undefined || (!isLimited(exchange) && !isKeyRefused(exchange))) return undefined;
        const { label } = exchange.sender;
        return {
          expected:
            `the key in the role '${label}' to be served while the one in the role '${over.sender.label}' is ` +
            'over its limit',
          hint: 'Count requests by key, not by account or address.',
          ...(isLimited(exchange) ? { refutable: byOthers } : {}),
          exchanges: [over, exchange],
        };
      },
    }),
  ],
});

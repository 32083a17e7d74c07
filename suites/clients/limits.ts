import { headerNames } from '../../fixtures/contract/headers.ts';
import { type Exchange, isCompleted } from '../exchange/exchange.ts';
import { type ClientRule, clientRule } from '../model/rule.ts';
import { sinceReceipt } from '../model/world/client-knowledge.ts';
import { ask, toolOf, waitOf } from '../model/world/client-requests.ts';
import { inSeconds } from './time.ts';

const isLimitedRole = ({ response, sender }: Exchange) => response?.status === 429 && sender.role !== null;

/** Rules for waiting. */
export const limits: readonly ClientRule[] = [
  clientRule('client-limits.retry-after', (exchange, { client }) => {
    const { role } = exchange.sender;
    // Two requests with unknown keys may use different keys.
    const before = role === null ? [] : client.before(exchange, 'limited', role);
    const limited = before.find((other) => client.isTooEarly(exchange, other));
    if (limited === undefined || !isCompleted(limited)) return isLimitedRole(exchange) ? null : undefined;
    return {
      expected: `no request with the key of ${limited.sender.role} for ${inSeconds(waitOf(limited))} after the 429`,
      actual: `${toolOf(exchange)} ${inSeconds(sinceReceipt(exchange, limited))} after the 429`,
      hint:
        `Wait for the seconds in ${headerNames.retryAfter} after you receive the response, ` +
        'and send nothing with that key until then.',
      exchanges: [limited, exchange],
    };
  }),
  clientRule('client-limits.no-other-key', (exchange, { client }) => {
    const limited = client
      .before(exchange, 'limitedRequest', ask(exchange))
      .find((other) => client.isOtherKey(exchange, other) && client.isTooEarly(exchange, other));
    if (limited === undefined) return isLimitedRole(exchange) ? null : undefined;
    return {
      expected: 'the client to wait, and then repeat the request with the same key',
      actual: `${toolOf(exchange)} is sent again with the key of ${exchange.sender.role}`,
      hint:
        'Wait instead of using another key. You can use separate keys for separate work, but do not move requests to ' +
        'a new key because of a 429.',
      exchanges: [limited, exchange],
    };
  }),
];

import { headerNames } from '../../fixtures/contract/headers.ts';
import type { Completed, Exchange } from '../exchange/exchange.ts';
import { accountOf } from '../exchange/history.ts';
import type { Client } from './client.ts';
import { asksSame, sinceReceipt, toolOf, waitOf } from './exchange.ts';
import { type ClientRule, clientRule, inSeconds } from './rule.ts';

const isLimitedRole = ({ response, sender }: Exchange) => response?.status === 429 && sender.role !== null;

/** A timer may fire this many milliseconds early, measured in another process. */
const earlyMs = 25;

/** Returns such a 429 that the client knew, but whose wait was not over when the client sent a request. */
function ignoredBy(
  exchange: Exchange,
  client: Client,
  isWanted: (limited: Exchange) => boolean,
): Completed | undefined {
  return client.answeredBefore(exchange, (other) => {
    if (other.response.status !== 429 || !isWanted(other)) return false;
    return sinceReceipt(exchange, other) < waitOf(other) - earlyMs && client.knew(exchange, other);
  });
}

/** Returns whether two requests used different keys of one account. */
function useOtherKeys({ sender: one }: Exchange, { sender: other }: Exchange, { knowledge }: Client): boolean {
  const account = accountOf(one.role, knowledge);
  return one.role !== other.role && account !== undefined && account === accountOf(other.role, knowledge);
}

/** Rules for waiting. */
export const limits: readonly ClientRule[] = [
  clientRule('client-limits.retry-after', (exchange, client) => {
    // Two requests with unknown keys may use different keys.
    const { role } = exchange.sender;
    const isSameKey = ({ sender }: Exchange) => role !== null && sender.role === role;
    const limited = ignoredBy(exchange, client, isSameKey);
    if (limited === undefined) return isLimitedRole(exchange) ? null : undefined;
    return {
      expected: `no request with the key of ${limited.sender.role} for ${inSeconds(waitOf(limited))} after the 429`,
      actual: `${toolOf(exchange)} ${inSeconds(sinceReceipt(exchange, limited))} after the 429`,
      hint:
        `Wait for the seconds in ${headerNames.retryAfter} after you receive the response, ` +
        'and send nothing with that key until then.',
      exchanges: [limited, exchange],
    };
  }),
  clientRule('client-limits.no-other-key', (exchange, client) => {
    const isOtherKey = (other: Exchange) => asksSame(other, exchange) && useOtherKeys(exchange, other, client);
    const limited = ignoredBy(exchange, client, isOtherKey);
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

import { headerNames, responseHeaders } from '../../fixtures/contract/headers.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, header } from '../history/exchange.ts';
import { mayDiffer } from '../history/history.ts';
import { brief } from '../json.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import type { Finding } from './finding.ts';
import { describe } from './match/responses.ts';
import { retryAfter, retryAfterInBody } from './match/retry-after.ts';
import { isToolRequest, knowsHeaders } from './match/scope.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import type { Seen } from './seen/seen.ts';

/** What holds for every 429, whoever met it. */
function every429(id: RequirementId, parts: Pick<Rule, 'applies' | 'expect'>): Rule {
  return rule(id, {
    everyResponse: true,
    ...parts,
    applies: (exchange, seen) =>
      exchange.response.status === 429 && isToolRequest(exchange) && !exchange.odd && parts.applies(exchange, seen),
  });
}

const isRead = ({ response }: Completed) => response.unread === undefined;

function finding(exchange: Completed, expected: string, actual: string, hint: string): Finding {
  return { expected, actual, hint, exchanges: [exchange] };
}

/** A key waits out its limit so often: each round costs the wait that the limit asks for. */
export const roundsOfWaiting = 2;

const isClosed = ({ response }: Completed) => response.status === 401 || response.status === 403;
const isOver = ({ response }: Completed) => response.status === 429;

/** The key was ever served: what it gets now is not what it always gets. */
function wasEverServed({ sender }: Completed, seen: Seen): Twin {
  return { succeeded: seen.successes.ofRole(sender.role), promisedBy: 'authentication.bearer-accepted' };
}

/** The 429 to another key of the account that was the last response before this request. */
function overOfOtherKey(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, false);
  const [one, other] = [exchange.sender.role, over?.sender.role ?? null];
  if (one === null || other === null || exchange.sender.kind !== 'key') return undefined;
  return mayDiffer(one, other, seen.knowledge) ? undefined : over;
}

/** The 429 of another tool to the same key that was the last response before this request. */
function overOfOtherTool(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, true);
  const asksTool = isToolName(exchange.request.tool ?? '') && isToolName(over?.request.tool ?? '');
  return asksTool && over?.request.tool !== exchange.request.tool ? over : undefined;
}

/**
 * Rate limits. What keys, tools, addresses or requests in flight share may have limits of its own, as long as each 429
 * conforms.
 */
export const rateLimit: readonly Rule[] = [
  every429('rate-limit.retry-after-header', {
    applies: (exchange, seen) => knowsHeaders(exchange, seen),
    expect: (exchange) => {
      if (retryAfter(exchange) !== undefined) return undefined;
      const value = header(exchange, responseHeaders.retryAfter);
      return finding(
        exchange,
        `${headerNames.retryAfter}: a whole number of seconds, at least 1`,
        value === undefined ? `no header ${headerNames.retryAfter}` : `${headerNames.retryAfter}: ${value}`,
        'Send the seconds until the window ends, rounded up to a whole number; do not send a date.',
      );
    },
  }),
  every429('rate-limit.retry-after-body', {
    applies: isRead,
    expect: (exchange) => {
      const value = retryAfterInBody(exchange);
      if (typeof value === 'number') return undefined;
      return finding(
        exchange,
        'error.retry_after_seconds to be a number',
        `error.retry_after_seconds ${brief(value)}`,
        `Send the seconds of ${headerNames.retryAfter} in the body too, as a number.`,
      );
    },
  }),
  every429('rate-limit.retry-after-agree', {
    applies: (exchange) => retryAfter(exchange) !== undefined && typeof retryAfterInBody(exchange) === 'number',
    expect: (exchange) => {
      const [seconds, value] = [retryAfter(exchange), retryAfterInBody(exchange)];
      if (value === seconds) return undefined;
      return finding(
        exchange,
        `error.retry_after_seconds ${seconds}, as in ${headerNames.retryAfter}`,
        `error.retry_after_seconds ${value}`,
        'Compute the seconds once and send them in both places, in the same unit.',
      );
    },
  }),
  rule('rate-limit.spans-tools', {
    everyResponse: true,
    applies: (exchange, seen) => {
      const over = overOfOtherTool(exchange, seen);
      if (over === undefined || exchange.odd || !seen.knowledge.complete) return false;
      // A tool that was used less than the other, and is refused with it, is counted with it.
      if (isOver(exchange)) return seen.limits.uses(exchange, exchange) < seen.limits.uses(over, exchange);
      return exchange.response.status < 500 && seen.limits.isUncounted(exchange, over);
    },
    expect: (exchange, seen) => {
      const over = overOfOtherTool(exchange, seen);
      if (over === undefined || isOver(exchange)) return undefined;
      return {
        expected:
          `${exchange.request.tool} to be refused with 429 while the key is over its limit on ` +
          `${over.request.tool}`,
        actual: describe(exchange),
        hint: 'Count the requests of a key across all tools, before you look up the tool.',
        exchanges: [over, exchange],
      };
    },
  }),
  rule('rate-limit.per-key', {
    everyResponse: true,
    applies: (exchange, seen) => {
      if (overOfOtherKey(exchange, seen) === undefined || exchange.odd || !seen.knowledge.complete) return false;
      if (isOver(exchange)) return seen.limits.isBelowOthers(exchange);
      return isOutcomeStatus(exchange.response.status) || isClosed(exchange);
    },
    twin: wasEverServed,
    expect: (exchange, seen) => {
      const over = overOfOtherKey(exchange, seen);
      if (over === undefined || (!isOver(exchange) && !isClosed(exchange))) return undefined;
      const { label } = exchange.sender;
      return {
        expected:
          `the key in the role '${label}' to be served while the one in the role '${over.sender.label}' is ` +
          'over its limit',
        actual: describe(exchange),
        hint: 'Count requests by key, not by account or address.',
        shaky: isOver(exchange),
        exchanges: [over, exchange],
      };
    },
  }),
  rule('rate-limit.served-after-waiting', {
    everyResponse: true,
    timesToCount: roundsOfWaiting,
    applies: (exchange, seen) => {
      const judged = isOutcomeStatus(exchange.response.status) || isOver(exchange) || isClosed(exchange);
      return judged && !exchange.odd && seen.knowledge.complete && seen.limits.waitedOutBy(exchange) !== undefined;
    },
    twin: wasEverServed,
    expect: (exchange, seen) => {
      const over = seen.limits.waitedOutBy(exchange);
      if (over === undefined || (!isOver(exchange) && !isClosed(exchange))) return undefined;
      return {
        expected: `the key to be served again after ${retryAfter(over)} s, as ${headerNames.retryAfter} said`,
        actual: describe(exchange),
        hint: `Send the seconds until the next request is served as ${headerNames.retryAfter}, rounded up.`,
        shaky: isOver(exchange),
        exchanges: [over, exchange],
      };
    },
  }),
];

import { headerNames, responseHeaders } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import {
  isToolName,
  readingTools,
  toolNames,
  tools,
  toolsWithoutSideEffects,
} from '../../../fixtures/contract/tools.ts';
import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import { timesToCount } from '../../expectations/finding.ts';
import { describe } from '../../expectations/responses.ts';
import { type KitJudging, type Rule, rule } from '../../expectations/rule.ts';
import { type Completed, header, isRefusal, retryAfter, retryAfterInBody } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { effectOf } from '../../session/call.ts';
import { bearer } from '../../session/credentials.ts';
import { isLimited } from '../../situations/limits.ts';
import { isToolRequest, knowsHeaders } from '../../situations/scope.ts';
import type { Seen } from '../../situations/seen.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { aMinute, type Limited, needs, throttled, untilLimited } from './until-limited.ts';

/** Builds a rule on every 429, for all keys. */
function every429(requirement: Requirement, parts: Pick<KitJudging, 'applies' | 'expect'>): Rule {
  return rule(requirement, {
    everyResponse: true,
    ...parts,
    applies: (exchange, seen) =>
      exchange.response.status === 429 && isToolRequest(exchange) && !exchange.odd && parts.applies(exchange, seen),
  });
}

const isRead = ({ response }: Completed) => response.unread === undefined;

/** Returns the last response before this request if it is a 429 of another tool to the same key. */
function overOfOtherTool(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, true);
  const asksTool = isToolName(exchange.request.tool ?? '') && isToolName(over?.request.tool ?? '');
  return asksTool && over?.request.tool !== exchange.request.tool ? over : undefined;
}

/**
 * Reaches the limit with requests of this story. A limit that another client exhausted proves nothing about the tools.
 */
async function untilLimitedByItself(t: Steps): Promise<Limited> {
  let limited = await untilLimited(t);
  for (let again = 1; limited.served === 0 && again <= timesToCount; again += 1) {
    await t.elapse(Math.min(aMinute, t.target.pace.maxWaitSeconds), 'another client has exhausted the rate limit');
    limited = await untilLimited(t);
  }
  return limited;
}

/**
 * Returns a request with which a tool succeeds, or one without arguments for a tool that changes something. One tool
 * gets no body and one another workspace, because a limit must not depend on either.
 */
function requestOf(t: Steps, tool: string): StoryRequest {
  if (tool === 'credits.balance') return { tool, as: 'throttled', wants429: true };
  const { otherWorkspace } = t.deployment;
  if (tool === 'connections.status' && otherWorkspace !== undefined)
    return throttled(tool, { workspace: otherWorkspace });
  const usual = readingTools.some((name) => name === tool) && isToolName(tool) ? tools[tool].usual : undefined;
  return usual === undefined ? throttled(tool) : throttled(tool, t.here({ ...usual }));
}

/** Fewest attempts with a tool after 429 responses of another tool. */
const leastTries = 12;

/** Reaches the limit of a key with one tool, and then tries all others. */
export const overTheLimit = story('over the limit', {
  turn: 'last',
  needs,
  steps: async (t) => {
    const { tool: limited, served } = await untilLimitedByItself(t);
    const credential = bearer(t.key('throttled'));
    const others = toolNames.filter((tool) => {
      const effect = effectOf({ tool, credential });
      return tool !== limited && (effect === undefined || t.target.allow.includes(effect));
    });
    const over = () => t.send(`call ${limited} over the limit`, throttled(limited));
    const ask = (tool: string) => t.send(`then call ${tool}`, requestOf(t, tool));
    const left: string[] = [];
    for (const tool of others) {
      await over();
      if (!isLimited(await ask(tool))) left.push(tool);
    }
    // Tools that succeeded may have separate limits, so the story sends them as many requests as the first tool.
    for (const tool of left) {
      const tries = toolsWithoutSideEffects.some((toolsWithoutSideEffect) => toolsWithoutSideEffect === tool)
        ? Math.max(served + 2, leastTries)
        : leastTries;
      for (let number = 1; number <= tries; number += 1) {
        // Alternates between one and two requests, so that a limit that refills continuously does not stay in step.
        if (number % 2 === 0) await over();
        if (!isLimited(await over())) await untilLimited(t);
        if (isLimited(await ask(tool))) break;
      }
    }
  },
  requirements: [
    every429(
      must(
        'rate-limit.retry-after-header',
        `The server MUST send \`${headerNames.retryAfter}\` with every 429, as a whole number of seconds of at least ` +
          `${limits.retryAfter.least}.`,
        'Response headers; Limits',
      ),
      {
        applies: (exchange, seen) => knowsHeaders(exchange, seen),
        expect: (exchange) => {
          if (retryAfter(exchange) !== undefined) return undefined;
          const value = header(exchange, responseHeaders.retryAfter);
          return {
            at: { header: headerNames.retryAfter },
            want: { least: 1 },
            got: value,
            expected: `${headerNames.retryAfter}: a whole number of seconds, at least 1`,
            actual: value === undefined ? `no header ${headerNames.retryAfter}` : `${headerNames.retryAfter}: ${value}`,
            hint: 'Send the seconds until the window ends, rounded up to a whole number; do not send a date.',
          };
        },
      },
    ),
    every429(
      must(
        'rate-limit.retry-after-body',
        'The server MUST send `retry_after_seconds` in the error of a 429.',
        'Error envelopes, boundary error; Errors, 429',
      ),
      {
        applies: isRead,
        expect: (exchange) => {
          const value = retryAfterInBody(exchange);
          if (typeof value === 'number') return undefined;
          return {
            at: { member: ['error', 'retry_after_seconds'] },
            want: { type: 'number' },
            got: value,
            expected: 'error.retry_after_seconds to be a number',
            actual: `error.retry_after_seconds ${brief(value)}`,
            hint: `Send the seconds of ${headerNames.retryAfter} in the body too, as a number.`,
          };
        },
      },
    ),
    every429(
      must(
        'rate-limit.retry-after-agree',
        `The server MUST send the same number in \`retry_after_seconds\` and in \`${headerNames.retryAfter}\`.`,
        'Error envelopes, boundary error',
      ),
      {
        applies: (exchange) => retryAfter(exchange) !== undefined && typeof retryAfterInBody(exchange) === 'number',
        expect: (exchange) => {
          const [seconds, value] = [retryAfter(exchange), retryAfterInBody(exchange)];
          if (value === seconds) return undefined;
          return {
            at: { member: ['error', 'retry_after_seconds'] },
            want: { oneOf: [seconds] },
            got: value,
            expected: `error.retry_after_seconds ${seconds}, as in ${headerNames.retryAfter}`,
            actual: `error.retry_after_seconds ${value}`,
            hint: 'Compute the seconds once and send them in both places, in the same unit.',
          };
        },
      },
    ),
    rule(
      must(
        'rate-limit.spans-tools',
        'The server MUST count all requests of a key toward one rate limit, whatever the tool.',
        'Limits, rate cap',
      ),
      {
        everyResponse: true,
        applies: (exchange, seen) => {
          const over = overOfOtherTool(exchange, seen);
          if (over === undefined || exchange.odd || !seen.knowledge.complete) return false;
          // A tool that gets a 429 after fewer requests than the other tool shares its limit.
          if (isLimited(exchange)) return seen.limits.uses(exchange, exchange) < seen.limits.uses(over, exchange);
          return exchange.response.status < 500 && seen.limits.isUncounted(exchange, over);
        },
        // A server may check the arguments and the workspace first, and count no request that it refuses.
        twin: (exchange, seen) => ({
          succeeded: !isRefusal(exchange) || seen.limits.isBeforeArguments(exchange.sender.role),
        }),
        expect: (exchange, seen) => {
          const over = overOfOtherTool(exchange, seen);
          if (over === undefined || isLimited(exchange)) return undefined;
          return {
            expected:
              `${exchange.request.tool} to be refused with 429 while the key is over its limit on ` +
              `${over.request.tool}`,
            actual: describe(exchange),
            hint: 'Count the requests of a key across all tools, before you look up the tool.',
            exchanges: [over, exchange],
          };
        },
      },
    ),
  ],
  alsoTests: [...witnessesOf(429)],
});

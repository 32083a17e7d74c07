import { headerNames } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { isToolName, type ToolName, tools } from '../../../fixtures/contract/tools.ts';
import { type Completed, isRefusal, isSuccess, retryAfter, retryAfterInBody } from '../../exchange/exchange.ts';
import { has, is } from '../../model/answers.ts';
import { timesToCount } from '../../model/finding.ts';
import { type Control, type Judging, row } from '../../model/rule.ts';
import { isLimited } from '../../model/world/limits.ts';
import { isToolRequest, knowsHeaders } from '../../model/world/scope.ts';
import type { Seen } from '../../model/world/seen.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

export const needs = { roles: ['throttled'], effects: ['throttling'] } as const;

/** Tools that alternate to reach the limit, in case the server does not count one of them. */
const burstTools = ['credits.balance', 'schedule.read'] as const;

/** Returns a request with the `throttled` key that treats a 429 as an ordinary response. */
export const throttled = (tool: string, args: StoryRequest['args'] = {}): StoryRequest => ({
  tool,
  args,
  as: 'throttled',
  wants429: true,
});

/** Seconds after which a limit per minute has reset. */
export const aMinute = 61;

/** A key at its limit: the tool that returned the 429, and its number of earlier successes. */
interface Limited {
  readonly tool: string;
  readonly served: number;
}

/** Requests at once until the limit is reached: few, because many would exceed a low limit by as many. */
const leastAtOnce = 2;
/** For each of so many requests below the limit, one more is sent at once: a high limit takes no longer. */
const requestsPerMore = 8;

/** Sends requests until one exceeds the limit. */
async function untilLimited(t: Steps): Promise<Limited> {
  const { maxBurst, concurrency } = t.target.pace;
  const first = await t.send('send a request with the key', throttled('credits.balance'));
  if (isLimited(first)) return { tool: 'credits.balance', served: 0 };
  if (!isSuccess(first)) t.cannot("the server does not serve the key 'throttled', see credits.balance");
  const responses = [first];
  const exhaust = async (tool: string) => responses.push(await t.send('exhaust the rate limit', throttled(tool)));
  for (let sent = 0; sent < maxBurst; ) {
    const count = Math.min(concurrency, leastAtOnce + Math.floor(sent / requestsPerMore), maxBurst - sent);
    const some = Array.from({ length: count }, (_, index) => burstTools[(sent + index) % burstTools.length] ?? '');
    sent += count;
    await Promise.all(some.map(exhaust));
    const tool = responses.find(isLimited)?.request.tool;
    if (typeof tool !== 'string') continue;
    const served = responses.filter((one) => !isLimited(one) && one.request.tool === tool).length;
    // The other tool shows its wait, too, unless it has its own limit.
    for (const other of burstTools) if (other !== tool) await exhaust(other);
    return { tool, served };
  }
  const setting = { kind: 'setting', setting: 'pace.maxBurst' } as const;
  return t.cannot(`${maxBurst} requests did not reach the rate limit`, setting);
}

const mostAgain = 3;

/** Returns a 429 that is the most recent response, so that the key is still over its limit. */
export async function reachLimitAgain(t: Steps): Promise<Completed> {
  for (let again = 1; again <= mostAgain; again += 1) {
    const over = await t.send('send a request over the limit', throttled((await untilLimited(t)).tool));
    if (isLimited(over)) return over;
  }
  return t.cannot('the rate limit could not be reached again');
}

/** Control: any success of the key, because responses to a key that never works prove nothing. */
export function wasEverServed({ sender }: Completed, seen: Seen): Control {
  return seen.successes.ofRole(sender.role) || 'authentication.bearer-accepted';
}

/** Covers every 429, for all keys. */
const every429 = (applies: (exchange: Completed, seen: Seen) => boolean) =>
  ({
    judges: 'every response',
    applies: (exchange, seen) =>
      exchange.response.status === 429 && isToolRequest(exchange) && !exchange.odd && applies(exchange, seen),
  }) satisfies Partial<Judging>;

const isRead = ({ response }: Completed) => response.unread === undefined;

/** Returns the last response before this request if it is a 429 of another tool to the same key. */
function overOfOtherTool(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, true);
  const asksTool = isToolName(exchange.request.tool ?? '') && isToolName(over?.request.tool ?? '');
  return asksTool && over?.request.tool !== exchange.request.tool ? over : undefined;
}

/**
 * Returns a request with which a tool succeeds, or one without arguments for a tool that changes something. One tool
 * gets no body and one another workspace, because a limit must not depend on either.
 */
function requestOf(t: Steps, tool: ToolName): StoryRequest {
  if (tool === 'credits.balance') return { tool, as: 'throttled', wants429: true };
  const [there] = t.elsewhere;
  if (tool === 'connections.status' && there !== undefined) return throttled(tool, there);
  const { usual } = tools[tool];
  return usual === undefined ? throttled(tool) : throttled(tool, t.here({ ...usual }));
}

/** Fewest attempts with a tool after 429 responses of another tool. */
const leastTries = 12;

export const overTheLimit = story('over the limit', {
  turn: 'last',
  needs,
  steps: async (t) => {
    let reached = await untilLimited(t);
    // A limit that another client exhausted proves nothing about the tools.
    for (let again = 1; reached.served === 0 && again <= timesToCount; again += 1) {
      const seconds = Math.min(aMinute, t.target.pace.maxWaitSeconds);
      await t.wait(seconds, 'another client has exhausted the rate limit', 'clock');
      reached = await untilLimited(t);
    }
    const { tool: limited, served } = reached;
    const over = () => t.send(`call ${limited} over the limit`, throttled(limited));
    const ask = (tool: ToolName) => t.send(`then call ${tool}`, requestOf(t, tool));
    const left: ToolName[] = [];
    for (const tool of t.toolsFor('throttled').filter((each) => each !== limited)) {
      await over();
      if (!isLimited(await ask(tool))) left.push(tool);
    }
    // Tools that succeeded may have separate limits, so the story sends them as many requests as the first tool.
    for (const tool of left) {
      const tries = tools[tool].effect === undefined ? Math.max(served + 2, leastTries) : leastTries;
      for (let number = 1; number <= tries; number += 1) {
        // Alternates between one and two requests, so that a limit that refills continuously does not stay in step.
        if (number % 2 === 0) await over();
        if (!isLimited(await over())) await untilLimited(t);
        if (isLimited(await ask(tool))) break;
      }
    }
  },
  requirements: [
    row('rate-limit.retry-after-header', {
      must:
        `The server MUST send \`${headerNames.retryAfter}\` with every 429, as a whole number of seconds of at least ` +
        `${limits.retryAfter.least}.`,
      source: 'Response headers; Limits',
      ...every429(knowsHeaders),
      answers: [{ at: { header: headerNames.retryAfter }, want: { least: limits.retryAfter.least } }],
      hint: 'Send the seconds until the window ends, rounded up to a whole number; do not send a date.',
    }),
    row('rate-limit.retry-after-body', {
      must: 'The server MUST send `retry_after_seconds` in the error of a 429.',
      source: 'Error envelopes, boundary error; Errors, 429',
      ...every429(isRead),
      answers: [has('error.retry_after_seconds', { type: 'number' })],
      hint: `Send the seconds of ${headerNames.retryAfter} in the body too, as a number.`,
    }),
    row('rate-limit.retry-after-agree', {
      must: `The server MUST send the same number in \`retry_after_seconds\` and in \`${headerNames.retryAfter}\`.`,
      source: 'Error envelopes, boundary error',
      ...every429((exchange) => retryAfter(exchange) !== undefined && typeof retryAfterInBody(exchange) === 'number'),
      answers: (exchange) => [is('error.retry_after_seconds', retryAfter(exchange))],
      hint: 'Compute the seconds once and send them in both places, in the same unit.',
    }),
    row('rate-limit.spans-tools', {
      must: 'The server MUST count all requests of a key toward one rate limit, whatever the tool.',
      source: 'Limits, rate cap',
      judges: 'every response',
      applies: (exchange, seen) => {
        const over = overOfOtherTool(exchange, seen);
        if (over === undefined || exchange.odd || !seen.knowledge.complete) return false;
        // A tool that gets a 429 after fewer requests than the other tool shares its limit.
        const isJudged = isLimited(exchange)
          ? seen.limits.uses(exchange, exchange) < seen.limits.uses(over, exchange)
          : exchange.response.status < 500 && seen.limits.isUncounted(exchange, over);
        return isJudged && over;
      },
      // A server may check the arguments and the workspace first, and count no request that it refuses.
      control: (exchange, seen) => !isRefusal(exchange) || seen.limits.isBeforeArguments(exchange.sender.role),
      expect: (exchange, over) => {
        if (isLimited(exchange)) return undefined;
        const [tool, other] = [exchange.request.tool, over.request.tool];
        const expected = `${tool} to be refused with 429 while the key is over its limit on ${other}`;
        return { expected, exchanges: [over, exchange] };
      },
      hint: 'Count the requests of a key across all tools, before you look up the tool.',
    }),
  ],
  alsoTests: [...witnessesOf(429)],
});

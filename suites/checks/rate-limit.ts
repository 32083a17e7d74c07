import { type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check, type Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, header, isSuccess } from '../exchange.ts';
import { describeAnswer, succeeds } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';
import { brief, member } from '../json.ts';
import { type Rule, rule } from '../rule.ts';
import { plainArguments, readingTools } from '../scenes/reading.ts';
import { cappedTool, overTheCap, stillOver, throttledCall, waitOut } from '../scenes/throttle.ts';
import { effectOf } from '../session/call.ts';
import { retryAfterSeconds } from '../session/retry-after.ts';

const needs: Needs = { roles: ['throttled'], effects: ['throttling'], alone: 'cap' };
const retryAfterBody = (exchange: Answered) => member(exchange.answer.json, 'error', 'retry_after_seconds');

/** Good arguments for a tool that reads; none for one that would change something if the cap were not counted. */
async function argumentsFor(t: Context, tool: ToolName): Promise<Args> {
  const reading = readingTools.find((each) => each === tool);
  return (reading && t.has('primary') && (await plainArguments(t, reading))) || {};
}

/** How often something must be seen before it counts, since a window may renew itself between any two calls. */
const sightings = 3;

/** What holds for every 429, whoever met it; or for those to which the rule applies. */
function every429(
  requirement: RequirementId,
  verdict: (exchange: Answered) => Finding | undefined,
  { applies = () => true, head = false }: Partial<Pick<Rule, 'applies' | 'head'>> = {},
) {
  return rule({
    requirement,
    needs,
    applies: (exchange) => exchange.answer.status === 429 && applies(exchange),
    verdict,
    head,
    exercise: overTheCap,
  });
}

/**
 * The answer by which a tool was served while another tool was over the cap; undefined where it was refused even once.
 * A cap that fills again drop by drop may let single calls through, so the tool is also tried behind calls of the other
 * tool that would take such drops first.
 */
async function servedOverCap(t: Context, capped: string, tool: ToolName, args: Args): Promise<Answered | undefined> {
  let served: Answered | undefined;
  for (let seen = 0; seen < sightings; seen += 1) {
    await stillOver(t);
    served = await throttledCall(t, tool, args);
    if (served.answer.status === 429) return undefined;
  }
  for (let seen = 0; seen < 2 * sightings; seen += 1) {
    await stillOver(t);
    const before = Array.from({ length: 4 }, () => throttledCall(t, capped));
    served = await throttledCall(t, tool, args);
    await Promise.all(before);
    if (served.answer.status === 429) return undefined;
  }
  return served;
}

export const rateLimit = [
  every429('rate-limit.code', (exchange) => {
    const code = member(exchange.answer.json, 'error', 'code');
    if (code === 'tenant_mcp.rate_limited') return undefined;
    return {
      expected: 'error code "tenant_mcp.rate_limited"',
      actual: `error code ${brief(code)}`,
      hint: 'one code for every answer over the cap',
      exchanges: [exchange],
    };
  }),
  every429(
    'rate-limit.retry-after-header',
    (exchange) => {
      if (retryAfterSeconds(exchange) !== undefined) return undefined;
      const value = header(exchange, 'retry-after');
      return {
        expected: 'Retry-After: a whole number of seconds, at least 1',
        actual: value === undefined ? 'no header Retry-After' : `Retry-After: ${value}`,
        hint: 'round the rest of the window up to whole seconds; a date is not what the document describes',
        exchanges: [exchange],
      };
    },
    { head: true },
  ),
  every429('rate-limit.retry-after-body', (exchange) => {
    const value = retryAfterBody(exchange);
    if (typeof value === 'number') return undefined;
    return {
      expected: 'error.retry_after_seconds to be a number',
      actual: `error.retry_after_seconds ${brief(value)}`,
      hint: 'the body mirrors the header, for clients that cannot read headers',
      exchanges: [exchange],
    };
  }),
  every429(
    'rate-limit.retry-after-agree',
    (exchange) => {
      const [seconds, value] = [retryAfterSeconds(exchange), retryAfterBody(exchange)];
      if (value === seconds) return undefined;
      return {
        expected: `error.retry_after_seconds ${seconds}, as in Retry-After`,
        actual: `error.retry_after_seconds ${value}`,
        hint: 'compute the seconds once and send them in both places, in the same unit',
        exchanges: [exchange],
      };
    },
    {
      applies: (exchange) => retryAfterSeconds(exchange) !== undefined && typeof retryAfterBody(exchange) === 'number',
    },
  ),
  check({
    requirement: 'rate-limit.spans-tools',
    needs,
    async run(t) {
      const credential = t.credential('throttled');
      const capped = await cappedTool(t);
      const others = toolNames.filter((tool) => {
        const effect = effectOf({ tool, credential });
        return tool !== capped && (effect === undefined || t.allows(effect));
      });
      const args = await Promise.all(others.map(async (tool) => [tool, await argumentsFor(t, tool)] as const));
      await stillOver(t);
      const first = await Promise.all(args.map(([tool, its]) => throttledCall(t, tool, its)));
      // Only what was not refused has to be looked at more closely.
      for (const [tool, its] of args.filter((_, index) => first[index]?.answer.status !== 429)) {
        const served = await servedOverCap(t, capped, tool, its);
        if (served === undefined) continue;
        t.expect({
          expected: `${tool} to be refused with 429 while the key is over its cap on ${capped}`,
          actual: describeAnswer(served),
          hint: 'count the calls of a key across all tools, before a tool is chosen',
          exchanges: [await stillOver(t), served],
        });
      }
    },
  }),
  check({
    requirement: 'rate-limit.per-key',
    needs: { ...needs, roles: ['throttled', 'primary'] },
    async run(t) {
      const served = await t.call('credits.balance', {});
      t.control('credits.balance', succeeds(served, 'credits.balance needs no arguments'));
      let over: Answered | undefined;
      let refused: Answered | undefined;
      for (let seen = 0; seen < sightings; seen += 1) {
        over = await stillOver(t);
        refused = await t.call('credits.balance', {}, { as: 'primary', wants429: true });
        if (isSuccess(refused)) return;
        if (refused.answer.status !== 429) break;
        // The other key may have come to a cap of its own; once it has waited, it has not.
        await waitOut(t, refused);
        await t.call('credits.balance', {}, { as: 'primary', wants429: true });
      }
      if (over === undefined || refused === undefined) return;
      t.expect({
        expected: "the key in the role 'primary' to be served while the one in the role 'throttled' is over its cap",
        actual: describeAnswer(refused),
        hint: 'count calls by key, not by account or address',
        exchanges: [over, refused],
      });
    },
  }),
  check({
    requirement: 'rate-limit.served-after-waiting',
    needs,
    async run(t) {
      let over: Answered | undefined;
      let answer: Answered | undefined;
      let seconds = 0;
      // By a clock that is moved the wait is exact, and one round is no chance but for the moment at which a window ends.
      const rounds = t.target.clock === undefined ? sightings : sightings - 1;
      for (let seen = 0; seen < rounds; seen += 1) {
        over = await stillOver(t);
        seconds = await waitOut(t, over);
        answer = await throttledCall(t, await cappedTool(t));
        if (answer.answer.status === 200) return;
        if (answer.answer.status !== 429) break;
      }
      if (over === undefined || answer === undefined) return;
      t.expect({
        expected: `the key to be served again after ${seconds} s, as Retry-After said`,
        actual: describeAnswer(answer),
        hint: 'Retry-After counts to the moment at which the next call is served; round up, never down',
        exchanges: [over, answer],
      });
    },
  }),
];

import { headerNames } from '../../../fixtures/contract/headers.ts';
import { type Completed, isKeyRefused, isOutcomeStatus, isSuccess, retryAfter } from '../../exchange/exchange.ts';
import { mayDiffer } from '../../exchange/history.ts';
import { byOthers } from '../../model/finding.ts';
import { row } from '../../model/rule.ts';
import { isLimited, shortSeconds } from '../../model/world/limits.ts';
import type { Seen } from '../../model/world/seen.ts';
import { confirming, propose } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story, toSpend } from '../story.ts';
import { aMinute, needs, reachLimitAgain, throttled, wasEverServed } from './over-the-limit.ts';

/** Number of rounds that reach the limit and wait, each as long as the limit demands. */
const roundsOfWaiting = 2;

/** Seconds after which any window has ended, if the limit follows the clock that the kit advances. */
const longSeconds = 600;

/** Additional requests over the limit before the wait, because some servers count them. */
const moreOver = 6;

/**
 * Sends further requests over the limit, waits for the last `Retry-After`, and sends another request. Returns whether
 * the server served it. With a clock, sends the last request over the limit halfway, because a server may start the
 * wait again with each request. Then also waits in real time if the `usual` wait is short, or, if it `mayWaitLong`,
 * because advancing the clock changed nothing.
 */
async function waitAndAsk(t: Steps, usual: number | undefined, mayWaitLong: boolean): Promise<boolean> {
  let over = await reachLimitAgain(t);
  const tool = String(over.request.tool);
  const sendAnother = async () => {
    const again = await t.send('send another request over the limit', throttled(tool));
    over = isLimited(again) ? again : await reachLimitAgain(t);
  };
  for (let more = 1; more < moreOver; more += 1) await sendAnother();
  const half = Math.floor((retryAfter(over) ?? 0) / 2);
  if (t.target.clock !== undefined && half > 0) await t.wait(half, 'half of the wait', 'clock');
  await sendAnother();
  const seconds = retryAfter(over) ?? t.cannot(`${headerNames.retryAfter} is not a whole number of seconds`);
  const ask = () => t.send('send a request after the wait', throttled(String(over.request.tool)));
  const why = 'the key that is over its limit has to wait';
  if (t.target.clock === undefined) {
    await t.wait(seconds, why);
    return !isLimited(await ask());
  }
  if ((usual ?? seconds) <= Math.min(shortSeconds, t.target.pace.maxWaitSeconds)) await t.wait(seconds, why);
  await t.wait(seconds, why, 'clock');
  if (!isLimited(await ask())) return true;
  await t.wait(longSeconds, why, 'clock');
  const later = await ask();
  if (!isLimited(later) || !mayWaitLong) return false;
  // A gateway in front of the application may have its own clock.
  await t.wait(retryAfter(later) ?? seconds, why);
  return !isLimited(await ask());
}

export const waitedOut = story('after a rate limit', {
  turn: 'last',
  needs,
  steps: async (t) => {
    const over = await reachLimitAgain(t);
    const usual = retryAfter(over);
    // In the last second of a window, a server that rounds down returns 0.
    if (t.target.clock !== undefined && usual !== undefined && usual > 1) {
      await t.wait(usual - 1, 'the last second of a window', 'clock');
      await t.send('send a request in the last second of the wait', throttled(String(over.request.tool)));
    }
    // If the kit can advance the clock, the first round may only show which clock the limit follows.
    const rounds = t.target.clock === undefined ? roundsOfWaiting : roundsOfWaiting + 1;
    for (let round = 1; round <= rounds; round += 1) {
      if (!(await waitAndAsk(t, usual, round <= roundsOfWaiting))) continue;
      // The refused requests must not change where the key works.
      for (const args of t.elsewhere) await t.send('name a workspace after the wait', throttled('schedule.read', args));
      return;
    }
  },
  requirements: [
    // `waitedOutBy` covers the first request after all waits, if it was sent alone.
    row('rate-limit.served-after-waiting', {
      must: `The server MUST serve the key again after the wait that \`${headerNames.retryAfter}\` specifies.`,
      source: 'Response headers',
      judges: 'every response',
      applies: (exchange, seen) => {
        const judged = isOutcomeStatus(exchange.response.status) || isLimited(exchange) || isKeyRefused(exchange);
        return judged && !exchange.odd && seen.knowledge.complete && seen.limits.waitedOutBy(exchange);
      },
      control: wasEverServed,
      expect: (exchange, over) => {
        if (!isLimited(exchange) && !isKeyRefused(exchange)) return undefined;
        return {
          expected: `the key to be served again after ${retryAfter(over)} s, as ${headerNames.retryAfter} said`,
          ...(isLimited(exchange) ? { refutable: { by: 'others', times: roundsOfWaiting } } : {}),
          exchanges: [over, exchange],
        };
      },
      hint: (exchange) =>
        isLimited(exchange)
          ? `Send the seconds until the next request is served as ${headerNames.retryAfter}, rounded up.`
          : 'Serve a key again as soon as its wait is over: do not block it for exceeding its limit.',
    }),
  ],
});

/** Returns the last response before this request if it is a 429 to another key of the account. */
function overOfOtherKey(exchange: Completed, seen: Seen): Completed | undefined {
  const over = seen.limits.stillOverBefore(exchange, false);
  const [one, other] = [exchange.sender.role, over?.sender.role ?? null];
  if (one === null || other === null || exchange.sender.kind !== 'key') return undefined;
  return mayDiffer(one, other, seen.knowledge) ? undefined : over;
}

export const otherKeyMeanwhile = story('another key during a rate limit', {
  turn: 'last',
  needs: { ...needs, roles: ['throttled', 'primary'] },
  steps: async (t) => {
    const asked = { tool: 'credits.balance', args: {}, wants429: true };
    await t.send('send a request with the other key', asked);
    await reachLimitAgain(t);
    const reply = await t.send('send a request with the other key meanwhile', asked);
    // The limit must not change what other refusals look like.
    if (isSuccess(reply))
      await t.send('call a tool that does not exist', { tool: t.unknownTool(), args: {}, invented: ['tool'] });
    if (!isLimited(reply)) return;
    // The other key may have reached its own limit, or one that both share.
    const why = 'requests of the last minute have to leave the window of the rate limit';
    await t.wait(Math.max(aMinute, retryAfter(reply) ?? 1), why, 'clock');
    t.disturbed('the other key is over a limit too, which the keys may share');
  },
  requirements: [
    row('rate-limit.per-key', {
      must: 'While a key is over its rate limit, the server MUST still serve the other keys of the account.',
      source: 'Limits, rate cap; Errors, 429',
      judges: 'every response',
      applies: (exchange, seen) => {
        const over = overOfOtherKey(exchange, seen);
        if (over === undefined || exchange.odd || !seen.knowledge.complete) return undefined;
        const isJudged = isLimited(exchange)
          ? seen.limits.isBelowOthers(exchange)
          : isOutcomeStatus(exchange.response.status) || isKeyRefused(exchange);
        return isJudged && over;
      },
      control: wasEverServed,
      expect: (exchange, over) => {
        if (!isLimited(exchange) && !isKeyRefused(exchange)) return undefined;
        const [one, other] = [exchange.sender.label, over.sender.label];
        return {
          expected: `the key in the role '${one}' to be served while the one in the role '${other}' is over its limit`,
          ...(isLimited(exchange) ? { refutable: byOthers } : {}),
          exchanges: [over, exchange],
        };
      },
      hint: 'Count requests by key, not by account or address.',
    }),
  ],
});

/** Presents an ID with a key that is over its limit, and then confirms: a 429 must not use up the ID. */
export const confirmingOverTheLimit = story('a confirmation over the limit', {
  turn: 'last',
  needs: { roles: [...needs.roles, 'primary'], effects: [...needs.effects, ...toSpend.effects] },
  steps: async (t) => {
    const proposal = await propose(t, 'propose');
    await reachLimitAgain(t);
    const over = await t.send('present the ID over the limit', throttled('images.generate', confirming(proposal).args));
    if (isLimited(over)) await t.send('confirm', confirming(proposal));
  },
  alsoTests: ['confirmations.refusals-leave-open'],
});

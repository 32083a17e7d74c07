import { headerNames } from '../../fixtures/contract/headers.ts';
import { isToolName, readingTools, toolNames, tools, toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { type Completed, isSuccess } from '../history/exchange.ts';
import { timesToCount } from '../rules/finding.ts';
import { retryAfter } from '../rules/match/retry-after.ts';
import { roundsOfWaiting } from '../rules/rate-limit.ts';
import { effectOf } from '../session/call.ts';
import { bearer } from '../session/credentials.ts';
import { flow } from './flow.ts';
import { witnessesOf } from './row-witnesses.ts';
import type { Asked, Steps } from './steps.ts';

const needs = { roles: ['throttled'], effects: ['throttling'] } as const;

/** The tools with which the limit is met, in turn: should one of them not be counted, the other is. */
const burstTools = ['credits.balance', 'schedule.read'] as const;

/** A request of the key that may be exhausted; a 429 is a response like any other. */
const throttled = (tool: string, args: Asked['args'] = {}): Asked => ({ tool, args, as: 'throttled', wants429: true });

const isOver = ({ response }: Completed) => response.status === 429;

/** Seconds after which whatever was counted in a minute is over. */
const aMinute = 61;

/** A key at its limit: the tool that showed it, and how often that was served before. */
interface Limited {
  readonly tool: string;
  readonly served: number;
}

/** Sends requests until one of them is over the limit, as many at once as the pace allows. */
async function untilLimited(t: Steps): Promise<Limited> {
  const { maxBurst, concurrency } = t.target.pace;
  const served = new Map<string, number>();
  let limited: string | undefined;
  let sent = 0;
  const sending = async () => {
    while (limited === undefined && sent < maxBurst) {
      const tool = burstTools[sent % burstTools.length] ?? burstTools[0];
      sent += 1;
      if (isOver(await t.send('use up the limit', throttled(tool)))) limited ??= tool;
      else served.set(tool, (served.get(tool) ?? 0) + 1);
    }
  };
  const first = await t.send('use the key', throttled('credits.balance'));
  if (isOver(first)) return { tool: 'credits.balance', served: 0 };
  if (!isSuccess(first)) t.cannot("the server does not serve the key 'throttled', see credits.balance");
  served.set('credits.balance', 1);
  await Promise.all(Array.from({ length: concurrency }, sending));
  const setting = { kind: 'setting', setting: 'pace.maxBurst' } as const;
  if (limited === undefined) return t.cannot(`${maxBurst} requests did not reach the rate limit`, setting);
  return { tool: limited, served: served.get(limited) ?? 0 };
}

/** The same by what is sent here: a limit that somebody else has used up with the key says nothing of the tools. */
async function untilLimitedByItself(t: Steps): Promise<Limited> {
  let limited = await untilLimited(t);
  for (let again = 1; limited.served === 0 && again <= timesToCount; again += 1) {
    await t.elapse(Math.min(aMinute, t.target.pace.maxWaitSeconds), 'another client has exhausted the rate limit');
    limited = await untilLimited(t);
  }
  return limited;
}

/** How often the key is brought to its limit again, where its window passes meanwhile. */
const mostAgain = 3;

/** A 429 that holds just now, and is the last response. */
async function stillOver(t: Steps): Promise<Completed> {
  for (let again = 1; again <= mostAgain; again += 1) {
    const over = await t.send('ask over the limit', throttled((await untilLimited(t)).tool));
    if (isOver(over)) return over;
  }
  return t.cannot('the rate limit could not be reached again');
}

/** Arguments with which a tool answers, or none where that could change something. */
function argsFor(t: Steps, tool: string): Asked['args'] {
  const usual = readingTools.some((name) => name === tool) && isToolName(tool) ? tools[tool].usual : undefined;
  return usual === undefined ? {} : t.here({ ...usual });
}

/** How often a tool is tried behind 429s of another one, at least. */
const leastTries = 12;

/** A key is used up to its limit with one tool, and then tries all others. */
export const overTheLimit = flow(
  'over the limit',
  {
    lane: 'limits',
    needs,
    witnesses: [
      ...witnessesOf(429),
      'rate-limit.retry-after-header',
      'rate-limit.retry-after-body',
      'rate-limit.retry-after-agree',
      'rate-limit.spans-tools',
    ],
  },
  async (t) => {
    const { tool: limited, served } = await untilLimitedByItself(t);
    const credential = bearer(t.key('throttled'));
    const others = toolNames.filter((tool) => {
      const effect = effectOf({ tool, credential });
      return tool !== limited && (effect === undefined || t.target.allow.includes(effect));
    });
    const over = () => t.send(`ask ${limited} over the limit`, throttled(limited));
    const ask = (tool: string) => t.send(`ask ${tool} behind it`, throttled(tool, argsFor(t, tool)));
    const left: string[] = [];
    for (const tool of others) {
      await over();
      if (!isOver(await ask(tool))) left.push(tool);
    }
    // Those that were served may have a limit of their own: they are used as often as the first one was.
    for (const tool of left) {
      const tries = toolsWithoutSideEffects.some((each) => each === tool)
        ? Math.max(served + 2, leastTries)
        : leastTries;
      for (let number = 1; number <= tries; number += 1) {
        // Once or twice, so that no limit that fills again drop by drop keeps step.
        if (number % 2 === 0) await over();
        if (!isOver(await over())) await untilLimited(t);
        if (isOver(await ask(tool))) break;
      }
    }
  },
);

/** While one key is over its limit, another one of the account asks. */
export const otherKeyMeanwhile = flow(
  'another key meanwhile',
  { lane: 'limits', needs: { ...needs, roles: ['throttled', 'primary'] }, witnesses: ['rate-limit.per-key'] },
  async (t) => {
    await t.send('ask with the other key', { tool: 'credits.balance', args: {}, wants429: true });
    for (let round = 0; round <= timesToCount; round += 1) {
      await stillOver(t);
      const reply = await t.send('ask with the other key meanwhile', {
        tool: 'credits.balance',
        args: {},
        wants429: true,
      });
      if (!isOver(reply)) return;
      // It may have come to a limit of its own, or to one that both share.
      await t.elapse(
        Math.max(aMinute, retryAfter(reply) ?? 1),
        'requests of the last minute have to leave the window of the rate limit',
      );
    }
    t.cannot('the other key is over a limit too, which the keys may share');
  },
);

/** A wait that is so short is spent in real time as well, since limits may fill again drop by drop. */
const shortSeconds = 5;

/** Time by which every window is over, where the limit goes by the clock that is moved. */
const longSeconds = 600;

/** How often a key asks on over its limit before it waits: some servers count that. */
const moreOver = 6;

/**
 * Asks in the last second of a window, where the clock can be moved: a server that rounds down says 0 there. Gives the
 * wait that was asked for before.
 */
async function lastSecond(t: Steps): Promise<number | undefined> {
  const over = await stillOver(t);
  const seconds = retryAfter(over);
  if (t.target.clock === undefined || seconds === undefined || seconds < 2) return seconds;
  await t.elapse(seconds - 1, 'the last second of a window');
  await t.send('ask in the last second', throttled(String(over.request.tool)));
  return seconds;
}

/**
 * Asks on over the limit, waits as long as the last 429 says, by whichever clock the limit goes, and asks again. Tells
 * whether the key was served then.
 * @param usual seconds that the limit asked for before the clock was moved
 * @param mayWaitLong whether to wait in real time for a limit that does not go by the clock that is moved
 */
async function waitAndAsk(
  t: Steps,
  first: Completed,
  usual: number | undefined,
  mayWaitLong: boolean,
): Promise<boolean> {
  let over = first;
  for (let more = 0; more < moreOver; more += 1) {
    const again = await t.send('ask on over the limit', throttled(String(first.request.tool)));
    over = isOver(again) ? again : await stillOver(t);
  }
  const seconds = retryAfter(over) ?? t.cannot(`${headerNames.retryAfter} is not a whole number of seconds`);
  const ask = () => t.send('ask after waiting', throttled(String(over.request.tool)));
  const why = 'the key that is over its limit has to wait';
  if (t.target.clock === undefined) {
    await t.waitOut(seconds, why);
    return !isOver(await ask());
  }
  if ((usual ?? seconds) <= Math.min(shortSeconds, t.target.pace.maxWaitSeconds)) await t.waitOut(seconds, why);
  await t.elapse(seconds, why);
  if (!isOver(await ask())) return true;
  await t.elapse(longSeconds, why);
  const later = await ask();
  if (!isOver(later) || !mayWaitLong) return false;
  // A gateway in front of the application has a clock of its own.
  await t.waitOut(retryAfter(later) ?? seconds, why);
  return !isOver(await ask());
}

/** A key that was over its limit waits as long as it was told. */
export const waitedOut = flow(
  'waited out',
  { lane: 'limits', needs, witnesses: ['rate-limit.served-after-waiting'] },
  async (t) => {
    const usual = await lastSecond(t);
    // With a clock, the first round may only show which clock the limit follows.
    const rounds = t.target.clock === undefined ? roundsOfWaiting : roundsOfWaiting + 1;
    for (let round = 1; round <= rounds; round += 1) {
      if (await waitAndAsk(t, await stillOver(t), usual, round <= roundsOfWaiting)) return;
    }
  },
);

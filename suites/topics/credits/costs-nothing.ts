import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, isSuccess, precedes } from '../../exchange/exchange.ts';
import { byOthers } from '../../model/finding.ts';
import type { Judging } from '../../model/rule.ts';
import { type Interval, isChange, isRise, quietTimes, spansAdvance } from '../../model/world/balances.ts';
import type { Seen } from '../../model/world/seen.ts';
import { counted } from '../../usage/counted.ts';
import type { Steps, StoryRequest } from '../steps.ts';

export const askBalance: StoryRequest = { tool: 'credits.balance', args: {} };

export const colleagues = ['throttled', 'ambiguous', 'pinned', 'defaulted', 'sole'] as const;

/**
 * Returns the key that reads the balance only after a dispatch. The server thus has no earlier value for it in a cache.
 * Returns undefined if the run confirms nothing, or has only one other key.
 */
export function lastReader(t: Steps): Role | undefined {
  const roles = t.present(colleagues);
  return t.target.allow.includes('spending') && roles.length > 1 ? roles.at(-1) : undefined;
}

/** Reads the balances of both accounts before and after confirmations. Returns the responses to the confirmations. */
export async function betweenBothBalances<T>(t: Steps, confirm: () => Promise<T>): Promise<T> {
  const roles = t.present(['primary', 'otherAccount']);
  const requests = roles.map((as) => ({ ...askBalance, as }));
  await t.sendInParallel('read the balance', requests);
  const replies = await confirm();
  await t.sendInParallel('read the balance again', requests);
  return replies;
}

/** Reads the balance with `primary`, then with the other keys, then with `primary` again. */
export async function compareBalances(t: Steps, roles: readonly Role[] = t.present(colleagues)): Promise<void> {
  if (roles.length === 0)
    return t.cannot("no other key of the account of 'primary'", { kind: 'role', role: 'throttled' });
  // Another account reads its balance simultaneously, which reveals a server that mixes up simultaneous responses.
  const others = [...roles, ...t.present(['otherAccount'])].map((as) => ({ ...askBalance, as }));
  await t.send('read the balance before', askBalance);
  await t.sendInParallel('read the balance with other keys', others);
  await t.send('read the balance after', askBalance);
}

export const balanceIn = (exchange: Completed) => body(exchange).balance;

interface Free {
  /** Default: the tools that only read. */
  readonly tool?: 'images.generate' | 'content.create_request';
  /** What the server must not charge for: `proposal`. */
  readonly what: string;
  /** Whether a response shows that the server did what was requested. A refusal proves nothing, unless it costs. */
  readonly isDone: (exchange: Completed) => boolean;
  readonly hint: string;
}

/** The balance stays the same over requests of a tool that confirm nothing. */
export function costsNothing({ tool, what, isDone, hint }: Free): Judging<Interval> {
  const sentIn = ({ harmless, reads }: Interval) =>
    tool === undefined ? reads : harmless.filter(({ request }) => request.tool === tool);
  const shows = (exchange: Completed) => exchange.request.tool === tool && isDone(exchange);
  // If nothing between the last readings shows something, a longer interval does. Other stories may read the balance
  // while such a request is in flight, and send other requests of the tool at the same time.
  const intervalOf = (exchange: Completed, { balances }: Seen): Interval | undefined => {
    const last = balances.endingWith(exchange);
    if (last === undefined || isChange(last) || last.harmless.some(shows)) return last;
    const longer = balances.over(exchange, shows);
    const shown = longer?.harmless.findLast(shows);
    if (longer === undefined || shown === undefined) return last;
    return isChange(longer) && precedes(shown, last.from.exchange) ? last : longer;
  };
  return {
    applies: (exchange, seen) => {
      const interval = intervalOf(exchange, seen);
      if (interval === undefined || interval.mayHaveSpent || !seen.knowledge.complete) return false;
      if (interval.harmless.some((each) => each.request.tool !== tool && isSuccess(each))) return false;
      // Some services add credits at regular intervals.
      if (isRise(interval) && spansAdvance(interval)) return false;
      const charged = sentIn(interval).length > 0 && isChange(interval);
      return (charged || sentIn(interval).some(isDone)) && interval;
    },
    // The control is an equal time without such requests. If the balance changes then too, the finding proves nothing.
    control: (exchange, seen) => {
      const interval = intervalOf(exchange, seen);
      return interval !== undefined && (!isChange(interval) || seen.balances.isControlled(interval));
    },
    expect: (exchange, interval) => {
      if (!isChange(interval)) return undefined;
      const sent = sentIn(interval);
      const noun = sent.some(isDone) ? what : 'refused request';
      return {
        at: 'exchanges',
        want: { oneOf: [interval.from.value] },
        got: interval.to.value,
        expected: `the balance to stay at ${interval.from.value} after ${counted(sent.length, noun)}`,
        actual: String(interval.to.value),
        exchanges: [interval.from.exchange, ...sent.slice(0, 2), exchange],
        refutable: { ...byOthers, balance: 'any' },
      };
    },
    hint,
  };
}

/**
 * Reads the balance before and after requests that must not change it. If it changes, reads it several times while the
 * run sends nothing, to exclude another client.
 */
export async function betweenReadings(t: Steps, requests: () => Promise<void>): Promise<void> {
  const before = await t.send('read the balance', askBalance);
  await requests();
  const after = await t.send('read the balance again', askBalance);
  if (balanceIn(before) !== balanceIn(after)) await watchBalance(t, before, after);
}

const quietReadings = 12;

/** Shortest wait before them, because another run of the kit spends several times a second. */
const leastQuietMs = 250;

/**
 * Reads the balance without other requests, for longer than it took to change. The wait grows with each run of the
 * story, so that it does not synchronize with a client that spends at regular intervals.
 */
async function watchBalance(t: Steps, before: Completed, after: Completed): Promise<void> {
  const quietMs = Math.max(quietTimes * (after.receivedAt - before.sentAt), leastQuietMs);
  const seconds = Math.min((t.attempt * quietMs) / 1000, t.target.pace.maxWaitSeconds);
  await t.wait(seconds, 'another client may have changed the balance');
  for (let reading = 1; reading <= quietReadings; reading += 1) {
    const now = await t.send('read the balance again without other requests', askBalance);
    if (balanceIn(now) !== balanceIn(after)) t.disturbed('another client changes the balance');
  }
}

import { readingTools, tools } from '../../../fixtures/contract/tools.ts';
import { isRole, type Role } from '../../../fixtures/roles.ts';
import { type Completed, isOutcomeStatus, isSuccess, type KeyName } from '../../exchange/exchange.ts';
import { has, success } from '../../model/answers.ts';
import { byOthers } from '../../model/finding.ts';
import { row } from '../../model/rule.ts';
import { balanceOf, type Interval, isChange, isFall } from '../../model/world/balances.ts';
import { isServed } from '../../model/world/plain.ts';
import type { Seen } from '../../model/world/seen.ts';
import { ownWorkspace } from '../requests/places.ts';
import { confirming, obtainUsedIdAfterNeverIssued, presentIfExpired, proposeExpiring } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story, toSpend } from '../story.ts';
import {
  askBalance,
  balanceIn,
  betweenReadings,
  colleagues,
  compareBalances,
  costsNothing,
  lastReader,
} from './costs-nothing.ts';

const role = 'otherAccount';

/** Dispatches to compare. A single change may be due to another client of the other account. */
const leastTimes = 2;

/** Returns the intervals between readings of the other account in which only the other one, or nobody, spent. */
function intervalsOf({ balances }: Seen) {
  const clear = balances.intervalsOf(role).filter(({ unclear }) => !unclear);
  const isSpent = ({ dispatches }: Interval) =>
    dispatches.length > 0 && dispatches.every(({ sender }) => sender.role !== role);
  return { spent: clear.filter(isSpent), free: clear.filter(({ dispatches }) => dispatches.length === 0) };
}

const otherAccountUnchanged = row('credits.other-account-unchanged', {
  must: 'The server MUST NOT charge one account for the images of another.',
  source: 'Credit balance; What the service does, rule 2',
  severity: 'data-isolation',
  applies: (exchange, seen) => {
    if (exchange.sender.role !== role || balanceOf(exchange) === undefined || !seen.knowledge.complete) return false;
    const { spent, free } = intervalsOf(seen);
    // A single fall does not show anything.
    return (spent.length >= leastTimes || !spent.every(isFall)) && { spent, free };
  },
  expect: (exchange, { spent, free }) => {
    // Another client would also change the balance at other times, or leave it unchanged over a short interval.
    const last = spent.at(-1);
    if (last === undefined || !spent.every(isFall)) return undefined;
    if (free.length < leastTimes || free.some(isFall)) return undefined;
    return {
      at: 'exchanges',
      want: { oneOf: [last.from.value] },
      got: last.to.value,
      expected: `the balance of the other account to stay at ${last.from.value}`,
      actual: `${last.to.value}, and it fell over ${spent.length} dispatches by the account of the role 'primary'`,
      // The amounts exclude another client, unless the balance shows one.
      refutable: { by: 'others', times: 1, balance: 'any' },
      exchanges: [last.from.exchange, ...last.dispatches.slice(0, 1), last.to.exchange, exchange],
    };
  },
  hint: 'Charge the account of the key that confirms, and no other.',
});

const tool = 'credits.balance';

/** Whether a request has no arguments. Observing stories cover other requests. */
const isPlain = ({ request, sender }: Completed) =>
  request.tool === tool && sender.kind === 'key' && request.args !== null && Object.keys(request.args).length === 0;

const served: readonly Role[] = ['primary', 'pinned', 'defaulted', 'sole', 'otherAccount'];

const balance = row('credits.balance', {
  must: 'The server MUST return the number `balance` for a `credits.balance` request with the body `{}`.',
  source: 'Credit balance; credits.balance',
  applies: (exchange, seen) => {
    const { role } = exchange.sender;
    // Over its limit, this key receives only 429.
    const mayBeLimited = role === 'throttled' && isOutcomeStatus(exchange.response.status);
    const isGood = role !== null && (isRole(role) ? served.includes(role) || mayBeLimited : isServed(role, seen));
    return isPlain(exchange) && isGood && exchange.request.body !== null;
  },
  answers: [success, has('balance', { fits: 'CreditsBalanceResult' })],
  hint: (_, { at }) =>
    at === 'response'
      ? 'Return the balance for {}: this tool needs no arguments and no workspace.'
      : 'Send the balance as a JSON number, not as a string.',
});

const needsNoWorkspace = row('credits.needs-no-workspace', {
  must: 'The server MUST NOT require a workspace for `credits.balance`, even from a key that reaches several.',
  source: 'What the service does, rule 2; credits.balance',
  applies: (exchange) => isPlain(exchange) && exchange.sender.role === 'ambiguous',
  answers: [success],
  hint: 'Do not resolve a workspace for this tool: credits belong to the account.',
});

/** Whether a key certainly belongs to the account of `primary`: by its role, or because both reached one workspace. */
function isColleague(role: KeyName, seen: Seen): boolean {
  if (role === 'throttled' || !isRole(role)) return role === 'throttled';
  if (seen.knowledge.accounts[role] !== undefined) return false;
  const theirs = seen.knowledge.workspaces.filter(({ account }) => account !== 'own').map(({ workspace }) => workspace);
  const ours = seen.places.reached('primary');
  return [...seen.places.reached(role)].some((slug) => ours.has(slug) && !theirs.includes(slug));
}

/** Returns the readings of other keys of the account while the balance of `primary` stayed the same. */
function readBetween(exchange: Completed, seen: Seen) {
  const interval = exchange.sender.role === 'primary' ? seen.balances.overOtherKey(exchange) : undefined;
  if (interval === undefined || !seen.knowledge.complete) return undefined;
  if (interval.mayHaveSpent || isChange(interval)) return undefined;
  const read = seen.balances.within(interval).filter(({ role }) => isColleague(role, seen));
  return read.length === 0 ? undefined : { interval, read };
}

const oneBalance = row('credits.one-balance', {
  must: 'The server MUST return the same balance to every key of an account.',
  source: 'Credit balance; What the service does, rule 2',
  applies: (exchange, seen) => balanceOf(exchange) !== undefined && readBetween(exchange, seen),
  expect: (exchange, { interval, read }) => {
    const other = read.find(({ value }) => value !== interval.to.value);
    if (other === undefined) return undefined;
    return {
      at: 'exchanges',
      want: { oneOf: [interval.to.value] },
      got: other.value,
      expected: `the balance that the key in the role 'primary' reads before and after: ${interval.to.value}`,
      actual: `${other.value} for the key in the role '${other.role}', of the same account`,
      exchanges: [interval.from.exchange, other.exchange, exchange],
      // This rule judges the readings of the other keys, so their changes show no other client.
      refutable: { ...byOthers, balance: 'primary' },
    };
  },
  hint: 'Look up the balance by account, not by key or workspace; do not cache it per key.',
});

const readingCostsNothing = row('credits.reading-costs-nothing', {
  must: 'The server MUST NOT change the balance when a key reads it.',
  source: 'Credit balance; credits.balance',
  severity: 'spends-money',
  applies: (exchange, seen) => {
    const last = seen.balances.endingWith(exchange);
    return last?.quiet === true && (seen.balances.fallingByReading(exchange) ?? !isChange(last));
  },
  expect: (exchange, readings) => {
    if (readings === true) return undefined;
    const [first] = readings;
    return {
      at: { member: ['balance'] },
      want: { oneOf: [first?.value] },
      got: balanceOf(exchange),
      expected: `the balance to stay at ${first?.value} while a key only reads it`,
      actual: readings.map(({ value }) => value).join(', '),
      exchanges: readings.map((reading) => reading.exchange),
    };
  },
  hint: 'Read the balance without charging for the request, and without a counter of the key in it.',
});

const readsCostNothing = row('credits.reads-cost-nothing', {
  must: 'The server MUST NOT charge for a request of a tool that only reads.',
  source: 'What the service does, rule 6; Credit balance',
  severity: 'spends-money',
  ...costsNothing({
    what: 'reading request',
    isDone: isSuccess,
    hint: 'Charge only when a confirmed run starts: neither for reading nor for a refused request.',
  }),
});

/** Reads the balance twice and, if it changes, more often: at once, and after a pause. Other readings would disturb. */
export const readingsOfBalance = story('readings of the balance', {
  turn: 'last',
  steps: async (t) => {
    const before = await t.send('read the balance', askBalance);
    const after = await t.send('read the balance again', askBalance);
    if (balanceIn(before) === balanceIn(after)) return;
    for (const seconds of [0, 0, 0, Math.min(2, t.target.pace.maxWaitSeconds)]) {
      if (seconds > 0) await t.wait(seconds, 'the balance changes while it is only read');
      await t.send('read the balance again', askBalance);
    }
  },
  requirements: [readingCostsNothing],
});

export const balances = story('balances', {
  turn: 'first',
  steps: async (t) => {
    await t.send('read the balance', askBalance);
    if (t.has('ambiguous')) {
      await t.sendInParallel('read the balance with a key that reaches several workspaces', [
        { ...askBalance, as: 'ambiguous' },
        { tool: 'credits.balance', as: 'ambiguous' },
      ]);
    }
    await betweenReadings(t, async () => {
      // A tool without usual arguments refuses, which must not cost anything either.
      const requests = readingTools.map((tool) => ({ tool, args: t.here(tools[tool].usual) }));
      const times = t.attempt === 1 ? 1 : roundsAgain;
      await t.sendInParallel('read with each tool', Array.from({ length: times }, () => requests).flat());
    });
    await reachSameWorkspaces(t);
    const last = lastReader(t);
    const others = colleagues.filter((role) => t.has(role) && role !== last);
    await compareBalances(t, others);
  },
  requirements: [balance, needsNoWorkspace, oneBalance, readsCostNothing],
});

/** How often the story reads with each tool if it runs again because the balance changed meanwhile. */
const roundsAgain = 10;

/**
 * Reads the balance before and after a used ID and an expired one, while no other story proposes. Compares the balances
 * of all keys, of which a cache may miss a confirmation.
 */
export const balancesAfterSpending = story('balances after a confirmation', {
  turn: 'last',
  needs: toSpend,
  steps: async (t) => {
    const used = await obtainUsedIdAfterNeverIssued(t);
    const old = await proposeExpiring(t);
    await betweenReadings(t, async () => {
      await t.send('present the used ID', confirming(used));
      await presentIfExpired(t, old);
    });
    await compareBalances(t);
    // Shows that nobody else spends in the other account.
    for (let reading = 1; t.has(role) && reading <= 2; reading += 1)
      await t.send('read the balance of the other account again', { ...askBalance, as: role });
  },
  requirements: [otherAccountUnchanged],
  alsoTests: ['credits.one-balance', 'image-proposals.spends-nothing'],
});

/** Shows which keys belong to the account of `primary`: those that work in the same workspaces. */
async function reachSameWorkspaces(t: Steps): Promise<void> {
  for (const as of t.present(colleagues)) {
    const workspace = as === 'throttled' ? undefined : await ownWorkspace(t, as);
    if (workspace === undefined || workspace === t.deployment.otherAccountWorkspace) continue;
    await t.sendOnce('read in the same workspace', { tool: 'schedule.read', args: { workspace } });
  }
}

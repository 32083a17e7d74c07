import { isRole, type Role } from '../../fixtures/roles.ts';
import type { Completed, KeyName } from '../history/exchange.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import { isServed } from './answers.ts';
import { fieldFits } from './match/fields.ts';
import { succeeds } from './match/responses.ts';
import { type Rule, rule } from './rule.ts';
import { balanceOf, type Interval } from './seen/balances.ts';
import { isProposal } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

const tool = 'credits.balance';

/** A request without arguments; what the specification does not show is observed. */
const isPlain = ({ request, sender }: Completed) =>
  request.tool === tool && sender.kind === 'key' && request.args !== null && Object.keys(request.args).length === 0;

/** Roles whose keys are served. */
const served: readonly Role[] = ['primary', 'pinned', 'defaulted', 'sole', 'otherAccount'];

const balance = rule('credits.balance', {
  applies: (exchange, seen) => {
    const { role } = exchange.sender;
    // Over its limit a key gets a 429, and nothing else.
    const mayBeLimited = role === 'throttled' && isOutcomeStatus(exchange.response.status);
    const isGood = role !== null && (isRole(role) ? served.includes(role) || mayBeLimited : isServed(role, seen));
    return isPlain(exchange) && isGood && exchange.request.body !== null;
  },
  expect: (exchange) =>
    succeeds(exchange, 'Return the balance for {}: this tool needs no arguments and no workspace.') ??
    fieldFits(exchange, 'CreditsBalanceResult', 'balance', 'Send the balance as a JSON number, not as a string.'),
});

const needsNoWorkspace = rule('credits.needs-no-workspace', {
  applies: (exchange) => isPlain(exchange) && exchange.sender.role === 'ambiguous',
  expect: (exchange) => succeeds(exchange, 'Do not resolve a workspace for this tool: credits belong to the account.'),
});

/** Whether a key is certainly of the account of `primary`: by its role, or since both got results of one workspace. */
function isColleague(role: KeyName, seen: Seen): boolean {
  if (role === 'throttled' || !isRole(role)) return role === 'throttled';
  if (seen.knowledge.accounts[role] !== undefined) return false;
  const theirs = seen.knowledge.workspaces.filter(({ account }) => account !== 'own').map(({ workspace }) => workspace);
  const ours = seen.places.reached('primary');
  return [...seen.places.reached(role)].some((slug) => ours.has(slug) && !theirs.includes(slug));
}

/** What a colleague read while the balance of `primary` stayed the same. */
function readBetween(exchange: Completed, seen: Seen) {
  const interval = exchange.sender.role === 'primary' ? seen.balances.overOtherKey(exchange) : undefined;
  if (interval === undefined || !seen.knowledge.complete) return undefined;
  if (interval.mayHaveSpent || interval.from.value !== interval.to.value) return undefined;
  const read = seen.balances.within(interval).filter(({ role }) => isColleague(role, seen));
  return read.length === 0 ? undefined : { interval, read };
}

const othersSpend =
  'the balance also changes while the run proposes and confirms nothing, so another client uses the account';

const oneBalance = rule('credits.one-balance', {
  // What another key reads is what is judged: that it changes proves nothing of somebody else.
  disturbed: (seen) => (seen.balances.disturbedFor('primary') ? othersSpend : undefined),
  applies: (exchange, seen) => balanceOf(exchange) !== undefined && readBetween(exchange, seen) !== undefined,
  expect: (exchange, seen) => {
    const { interval, read = [] } = readBetween(exchange, seen) ?? {};
    const other = read.find(({ value }) => value !== interval?.to.value);
    if (interval === undefined || other === undefined) return undefined;
    return {
      expected: `the balance that the key in the role 'primary' reads before and after: ${interval.to.value}`,
      actual: `${other.value} for the key in the role '${other.role}', of the same account`,
      hint: 'Look up the balance by account, not by key or workspace; do not cache it per key.',
      exchanges: [interval.from.exchange, other.exchange, exchange],
      shaky: true,
    };
  },
});

/** The interval before a reading, or a longer one where the balance stayed the same all the while. */
function intervalOf(exchange: Completed, { balances }: Seen): Interval | undefined {
  const [last, longer] = [balances.endingWith(exchange), balances.overProposal(exchange)];
  const isUnchanged = longer !== undefined && longer.from.value === longer.to.value;
  return isUnchanged && last?.proposals.length === 0 ? longer : last;
}

const spendsNothing = rule('image-proposals.spends-nothing', {
  disturbed: (seen) => (seen.balances.disturbed ? othersSpend : undefined),
  applies: (exchange, seen) => {
    const interval = intervalOf(exchange, seen);
    if (interval === undefined || interval.mayHaveSpent || !seen.knowledge.complete) return false;
    // A refused one proves nothing, unless it is charged for.
    const charged = interval.proposals.length > 0 && interval.from.value !== interval.to.value;
    return charged || interval.proposals.some(isProposal);
  },
  // The same time without a proposal: a balance that also changes then proves nothing.
  twin: (exchange, seen) => {
    const interval = intervalOf(exchange, seen);
    const isSame = interval !== undefined && interval.from.value === interval.to.value;
    return { succeeded: isSame || seen.balances.isControlled(exchange) };
  },
  expect: (exchange, seen) => {
    const interval = intervalOf(exchange, seen);
    if (interval === undefined || interval.from.value === interval.to.value) return undefined;
    const { length } = interval.proposals;
    return {
      expected: `the balance to stay at ${interval.from.value} after ${length} proposal${length === 1 ? '' : 's'}`,
      actual: String(interval.to.value),
      hint: 'Charge when the run starts, not when it is proposed.',
      exchanges: [interval.from.exchange, ...interval.proposals.slice(0, 2), exchange],
      shaky: true,
    };
  },
});

/** The balance of the account, and what must not change it. */
export const credits: readonly Rule[] = [balance, needsNoWorkspace, oneBalance, spendsNothing];

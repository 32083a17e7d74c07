import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed } from '../../history/exchange.ts';
import type { Seen } from '../../situations/seen.ts';
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
  const strangers = t.present(['otherAccount']);
  await t.send('read the balance before', askBalance);
  await t.sendInParallel(
    'read the balance with other keys',
    [...roles, ...strangers].map((as) => ({ ...askBalance, as })),
  );
  await t.send('read the balance after', askBalance);
}

export const balanceIn = (exchange: Completed) => body(exchange).balance;

export const othersSpend =
  'the balance also changes while the run proposes and confirms nothing, so another client uses the account';

/** Why findings on charges prove nothing; undefined unless a balance shows another client. */
export const otherSpender = ({ balances }: Seen) => (balances.changedByOthers ? othersSpend : undefined);

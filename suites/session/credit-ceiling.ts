import type { Target } from '../target.ts';
import type { BalanceWatch } from './balance-watch.ts';
import { NotTested } from './budget.ts';
import { type Call, effectOf } from './call.ts';
import { bearer } from './credentials.ts';

/** Whether a call presents a confirmation ID in a run with `maxCredits`. */
export function presentsId(call: Call, { maxCredits }: Target): boolean {
  return maxCredits !== undefined && effectOf(call) === 'proposals' && (call.args?.confirmation_id ?? '') !== '';
}

/**
 * Reads the balance if a confirmation may have changed it. The watch then stops spending if the balance has fallen by
 * `maxCredits`. Throws `NotTested` if the balance cannot be read.
 */
export async function readBalance(
  { keys: { primary } }: Target,
  session: { spending: { balances: BalanceWatch }; send(call: Call): Promise<unknown> },
): Promise<void> {
  const { balances } = session.spending;
  if (!balances.isStale) return;
  if (primary === undefined) {
    throw new NotTested('maxCredits needs the balance of primary', [{ kind: 'role', role: 'primary' }]);
  }
  const { read } = balances.moment;
  await session.send({ tool: 'credits.balance', args: {}, credential: bearer(primary) });
  if (balances.moment.read === read) throw new NotTested('maxCredits needs a balance, and the response has none');
}

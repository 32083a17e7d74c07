import type { Role } from '../../fixtures/roles.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';

export interface Balance {
  answer: Answered;
  /** In credits. */
  value: number;
}

/** The balance as it is now; a control, since without it nothing can be compared. */
export async function balance(t: Context, as: Role = 'primary'): Promise<Balance> {
  const answer = await t.call('credits.balance', {}, { as, fresh: true });
  t.control('credits.balance', succeeds(answer, 'credits.balance needs no arguments'));
  const value = body(answer).balance;
  return typeof value === 'number' ? { answer, value } : t.cannot('the balance is not a number');
}

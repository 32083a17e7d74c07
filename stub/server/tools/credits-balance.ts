import type { ConformingTool } from '../behavior.ts';
import { success } from '../responses.ts';

/** Returns the remaining credits of the account. All keys of an account share them. */
export const readBalance: ConformingTool<'credits.balance'> = ({ account }) =>
  success({ ok: true, balance: account.credits });

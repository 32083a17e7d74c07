import type { Tool } from '../behavior.ts';
import { success } from '../responses.ts';

/** What the account has left; the same for all of its keys. */
export const readBalance: Tool<'credits.balance'> = ({ account }) => success({ ok: true, balance: account.credits });

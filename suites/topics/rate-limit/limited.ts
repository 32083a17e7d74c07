import type { Twin } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import type { Seen } from '../../situations/seen.ts';

export const isClosed = ({ response }: Completed) => response.status === 401 || response.status === 403;

/** Twin: any success of the key, because responses to a key that never works prove nothing. */
export function wasEverServed({ sender }: Completed, seen: Seen): Twin {
  return { succeeded: seen.successes.ofRole(sender.role), promisedBy: 'authentication.bearer-accepted' };
}

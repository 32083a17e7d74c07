import type { Role } from '../../fixtures/roles.ts';
import type { RoleKey, Target } from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';

/**
 * Roles that differ in how a workspace is resolved. A valid key plays exactly one of them, and may also be `primary`.
 */
const resolving: readonly Role[] = ['ambiguous', 'pinned', 'defaulted', 'sole'];

/**
 * Finds keys that two roles share at one base URL. Returns a notice if one key can play both roles. Otherwise throws a
 * UsageError, because rules that compare the roles would report false findings.
 */
export function noticesOfSharedKeys(keys: Target['keys']): string[] {
  const all = Object.values(keys);
  return all.flatMap((one, index) =>
    all.slice(index + 1).flatMap((other) => (sameCredential(one, other) ? [noticeOf(one, other)] : [])),
  );
}

function sameCredential(one: RoleKey, other: RoleKey): boolean {
  return one.key === other.key && one.baseUrl === other.baseUrl;
}

function noticeOf(one: RoleKey, other: RoleKey): string {
  const both = [one.role, other.role];
  if (both.includes('primary') && both.some((role) => resolving.includes(role))) {
    return `keys.${one.role} and keys.${other.role} are the same key`;
  }
  throw new UsageError(
    `keys.${other.role}: expected a key other than that of keys.${one.role}, got the same key; ` +
      'one key cannot have both roles',
  );
}

/** Returns one sentence for each allowed side effect that does nothing because something else is missing. */
export function noticesOfIdleEffects({ allow, keys }: Pick<Target, 'allow' | 'keys'>): string[] {
  const notices: string[] = [];
  if (allow.includes('spending') && !allow.includes('proposals')) {
    notices.push("'spending' has no effect without 'proposals': allow both to confirm images");
  }
  if (allow.includes('throttling') && keys.throttled === undefined) {
    notices.push("'throttling' has no effect without a key for the role 'throttled'");
  }
  return notices;
}

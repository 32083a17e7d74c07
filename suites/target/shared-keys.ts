import type { Role } from '../../fixtures/roles.ts';
import type { RoleKey, Target } from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';

/**
 * Roles that differ in how a workspace is resolved; a good key plays exactly one of them, and may be `primary` as well.
 */
const resolving: readonly Role[] = ['ambiguous', 'pinned', 'defaulted', 'sole'];

/**
 * Looks for keys that stand under two roles at one base URL. Where both roles can be true of one key, gives a notice
 * for it; where they cannot, throws a UsageError: checks that compare the two would blame the deployment.
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
    `keys.${other.role}: expected a key other than that of keys.${one.role}, got the same; no key plays both roles`,
  );
}

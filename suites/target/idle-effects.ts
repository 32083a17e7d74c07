import type { Target } from '../target.ts';

/** Says of effects that are allowed but have no effect for want of something else, one sentence each. */
export function noticesOfIdleEffects({ allow, keys }: Pick<Target, 'allow' | 'keys'>): string[] {
  const notices: string[] = [];
  if (allow.includes('spending') && !allow.includes('proposals')) {
    notices.push(
      "'spending' is allowed without 'proposals', and has no effect: what was not proposed cannot be confirmed",
    );
  }
  if (allow.includes('throttling') && keys.throttled === undefined) {
    notices.push("'throttling' is allowed without a key for the role 'throttled', and has no effect");
  }
  return notices;
}

import type { Target } from '../target.ts';

/** Says of effects that are allowed but have no effect for want of something else, one sentence each. */
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

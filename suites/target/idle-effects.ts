import type { Target } from '../target.ts';

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

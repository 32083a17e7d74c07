import { type Step, settled } from '../call.ts';
import { rateLimited } from '../responses.ts';

/** Counts the call against its key's cap, over all tools ("Limits", rate cap). */
export const rateLimit: Step = (call) => {
  const { state, rules } = call;
  const { bucket, cap, windowSeconds } = rules.rate;
  const wait = state.rateWindows.take(bucket(call), cap(settled(call.key, 'key')), windowSeconds, state.clock.now());
  return wait === 0 ? undefined : rateLimited(rules.codes.rateLimited, wait);
};

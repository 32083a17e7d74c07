import { type Step, settled } from '../behavior.ts';
import { rateLimited } from '../responses.ts';

/** Applies the rate limit of the key, across all tools ("Limits", rate cap). */
export const rateLimit: Step = (call) => {
  const { state, behavior } = call;
  const { bucket, limit, windowSeconds } = behavior.rate;
  const wait = state.rateWindows.take(bucket(call), limit(settled(call.key, 'key')), windowSeconds, state.clock.now());
  return wait === 0 ? undefined : rateLimited(behavior.codes.rateLimited, wait);
};

import type { Key, World } from './world.ts';

/** Counts the requests of each key. Returns 0 for an admitted request, otherwise the seconds to wait. */
interface Caps {
  admit(key: Key): number;
}

/** Creates one rate limit per key for all tools, which does not count refused requests ("Limits"). */
export const createCaps = (world: World): Caps => {
  const { calls, windowMs, style } = world.options.cap;
  const passed = new Map<string, number[]>();
  const tokens = new Map<string, { left: number; at: number }>();
  const waitSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

  const fromBucket = (key: Key, now: number) => {
    const bucket = tokens.get(key.secret) ?? { left: calls, at: now };
    const perMs = calls / windowMs;
    const left = Math.min(calls, bucket.left + Math.max(0, now - bucket.at) * perMs);
    tokens.set(key.secret, { left: left >= 1 ? left - 1 : left, at: now });
    return left >= 1 ? 0 : waitSeconds((1 - left) / perMs);
  };

  const fromWindow = (key: Key, now: number) => {
    const start = style === 'fixed' ? Math.floor(now / windowMs) * windowMs : now - windowMs + 1;
    const within = (passed.get(key.secret) ?? []).filter((moment) => moment >= start);
    const full = within.length >= calls;
    if (!full) within.push(now);
    passed.set(key.secret, within);
    if (!full) return 0;
    return waitSeconds((style === 'fixed' ? start : (within[0] ?? now)) + windowMs - now);
  };

  return {
    admit(key) {
      if (world.options.veryLargeCap) return 0;
      return style === 'bucket' ? fromBucket(key, world.now()) : fromWindow(key, world.now());
    },
  };
};

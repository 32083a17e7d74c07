import { headerNames } from '../../fixtures/contract/headers.ts';
import type { ProfileData } from './profile.ts';

const page = (title: string) => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const soon = { [headerNames.retryAfter.toLowerCase()]: '1' };

/** The predefined profiles. */
export const profiles = {
  /** A phone with a weak signal: high latency, low bandwidth, and some lost connections. */
  'slow-mobile': {
    latency: { medianMs: 400, p95Ms: 2500, tools: { 'images.generate': { medianMs: 1200, p95Ms: 6000 } } },
    bytesPerSecond: 50_000,
    faults: [
      { probability: 0.01, drop: 'before', reset: true },
      { probability: 0.02, drop: 'after', reset: true },
    ],
  },
  /** A gateway in front of a restarting service: error pages and truncated responses. */
  'flaky-gateway': {
    latency: { medianMs: 60, p95Ms: 600 },
    faults: [
      { probability: 0.04, status: 502, body: page('502 Bad Gateway') },
      { probability: 0.03, status: 503, body: page('503 Service Unavailable'), headers: soon },
      { probability: 0.02, status: 504, body: page('504 Gateway Time-out'), latencyMs: 3000 },
      { probability: 0.02, drop: 'after' },
      { probability: 0.02, cutAtBytes: 20, reset: true },
    ],
  },
  /** A busy service: a low rate limit, and additional 429 responses within the limit. */
  'rate-limited': {
    latency: { medianMs: 40, p95Ms: 200 },
    rateLimit: 30,
    faults: [{ probability: 0.15, retryAfterSeconds: 2 }],
  },
} as const satisfies Record<string, ProfileData>;

export type ProfileName = keyof typeof profiles;

export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}

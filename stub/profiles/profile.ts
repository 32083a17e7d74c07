import { checkedFault, type Fault } from '../faults/fault.ts';
import flakyGateway from './flaky-gateway.json' with { type: 'json' };
import rateLimited from './rate-limited.json' with { type: 'json' };
import slowMobile from './slow-mobile.json' with { type: 'json' };

/** The predefined profiles, as they are in their files. */
const profiles = { 'slow-mobile': slowMobile, 'flaky-gateway': flakyGateway, 'rate-limited': rateLimited };

export type ProfileName = keyof typeof profiles;

/** A list of faults that a sandbox starts with, or the name of a predefined list. */
export type Profile = ProfileName | readonly Fault[];

export const profileNames = Object.keys(profiles);

const byName = new Map<string, readonly object[]>(Object.entries(profiles));

/** Returns the faults of a profile. Throws a RangeError that names the invalid fault and its member. */
export function faultsOf(profile: unknown): readonly Fault[] {
  const faults = typeof profile === 'string' ? byName.get(profile) : profile;
  if (!Array.isArray(faults)) {
    const expected = `expected one of ${profileNames.join(', ')}, or a list of faults`;
    throw new RangeError(`profile: ${expected}, got ${JSON.stringify(profile)}`);
  }
  return faults.map((fault, index) => checkedFault(fault, `profile.${index}`));
}

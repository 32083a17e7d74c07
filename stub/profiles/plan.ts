import { isToolName } from '../../fixtures/contract/tools.ts';
import { type Aim, type Fault, meets } from '../faults/fault.ts';
import { seededNumber } from '../world/seeded.ts';
import type { Profile } from './profile.ts';

/** Effects of a profile on one request. */
export interface Planned {
  readonly network: Pick<Fault, 'latencyMs' | 'bytesPerSecond'>;
  readonly fault: Fault | undefined;
}

/**
 * Returns a function that plans each request. The plan depends on the seed, the tool, and the number of earlier
 * requests to that tool. Parallel requests to other tools therefore do not affect it.
 */
export function createPlan(profile: Profile, seed: number): (aim: Aim) => Planned {
  const counts = new Map<string, number>();
  return (aim) => {
    const tool = isToolName(aim.tool) ? aim.tool : '';
    const count = counts.get(tool) ?? 0;
    counts.set(tool, count + 1);
    const random = (purpose: string): number => seededNumber(seed, 'profile', tool, String(count), purpose);
    const latencyMs = latencyOf(profile, tool, random);
    const { bytesPerSecond } = profile;
    return {
      network: {
        ...(latencyMs === 0 ? {} : { latencyMs }),
        ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
      },
      fault: profile.faults?.find((fault, index) => meets(fault, aim) && random(`fault ${index}`) < fault.probability),
    };
  };
}

/** The 95th percentile of the standard normal distribution. */
const z95 = 1.6448536;
const mostMs = 600_000;

function latencyOf({ latency }: Profile, tool: string, random: (purpose: string) => number): number {
  if (latency === undefined) return 0;
  const { medianMs, p95Ms } = isToolName(tool) ? (latency.tools?.[tool] ?? latency) : latency;
  if (medianMs === 0) return 0;
  const sigma = Math.log(p95Ms / medianMs) / z95;
  return Math.min(mostMs, Math.round(medianMs * Math.exp(sigma * normal(random))));
}

/** Returns a normally distributed number, by the Box–Muller transform. */
function normal(random: (purpose: string) => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random('radius')));
  return radius * Math.cos(2 * Math.PI * random('angle'));
}

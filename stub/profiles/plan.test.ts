import { expect, test } from 'vitest';
import { toolNames } from '../../fixtures/contract/tools.ts';
import type { Aim } from '../faults/fault.ts';
import { createPlan } from './plan.ts';
import { type GivenProfile, parseProfile, profiles } from './profile.ts';

const aimAt = (tool: string): Aim => ({ tool, role: 'primary', confirming: () => false });

function planned(profile: GivenProfile, seed: number, tools: readonly string[]) {
  const plan = createPlan(parseProfile(profile), seed);
  return tools.map((tool) => plan(aimAt(tool)));
}

const often = (tool: string, times: number) => Array.from({ length: times }, () => tool);

test.each(Object.keys(profiles) as (keyof typeof profiles)[])('%s is the same for the same seed only', (name) => {
  const plan = (seed: number) => planned(name, seed, often('schedule.read', 50));
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1)).not.toEqual(plan(2));
});

test('the order of requests to different tools does not matter', () => {
  const tools = toolNames.flatMap((tool) => often(tool, 20));
  const byTool = (order: readonly string[]) =>
    Object.groupBy(
      planned('flaky-gateway', 3, order).map((plan, index) => ({ tool: order[index] ?? '', plan })),
      ({ tool }) => tool,
    );
  const mixed = Array.from({ length: 20 }, () => [...toolNames].reverse()).flat();
  expect(byTool(mixed)).toEqual(byTool(tools));
});

test('latencies have the median and the 95th percentile of the profile, by tool', () => {
  const latency = { medianMs: 200, p95Ms: 1000, tools: { 'images.generate': { medianMs: 3000, p95Ms: 9000 } } };
  const percentiles = (tool: string) => {
    const plans = planned({ latency }, 1, often(tool, 4000));
    const sorted = plans.map(({ network }) => network.latencyMs ?? 0).sort((a, b) => a - b);
    return [sorted[2000] ?? 0, sorted[3800] ?? 0];
  };
  for (const [tool, medianMs, p95Ms] of [
    ['schedule.read', 200, 1000],
    ['images.generate', 3000, 9000],
  ] as const) {
    const [median = 0, p95 = 0] = percentiles(tool);
    expect(Math.abs(median / medianMs - 1), tool).toBeLessThan(0.1);
    expect(Math.abs(p95 / p95Ms - 1), tool).toBeLessThan(0.1);
  }
  expect(planned({ latency: { medianMs: 70, p95Ms: 70 } }, 1, often('schedule.read', 3))).toEqual(
    often('', 3).map(() => ({ network: { latencyMs: 70 }, fault: undefined })),
  );
});

test('faults strike as often as the profile says, and only the requests that they fit', () => {
  const faults = [
    { probability: 0.2, status: 502 },
    { probability: 0.5, tool: 'library.get' as const, drop: 'after' as const },
  ];
  const struck = (tool: string) =>
    Object.groupBy(planned({ faults }, 1, often(tool, 1000)), ({ fault }) => fault?.drop ?? String(fault?.status));
  const read = struck('schedule.read');
  expect(Object.keys(read).sort()).toEqual(['502', 'undefined']);
  expect(read['502']?.length).toBeGreaterThan(160);
  expect(read['502']?.length).toBeLessThan(240);
  // The second fault applies to half of the requests that the first one does not match.
  const get = struck('library.get').after?.length ?? 0;
  expect(get).toBeGreaterThan(350);
  expect(get).toBeLessThan(450);
  expect(planned({ faults }, 1, ['no-such-tool'])).toEqual([{ network: {}, fault: undefined }]);
});

test.each<[unknown, string]>([
  ['slow', "profile: expected one of slow-mobile, flaky-gateway, rate-limited, or an object, got 'slow'"],
  [{ latency: { medianMs: 5 } }, 'profile.latency.p95Ms'],
  [{ latency: { medianMs: 5, p95Ms: 4 } }, 'profile.latency.p95Ms: expected a number from medianMs'],
  [{ latency: { medianMs: 0, p95Ms: 4 } }, 'profile.latency.p95Ms: expected a number from medianMs'],
  [{ latency: { medianMs: 1, p95Ms: 2, tools: { 'schedule.reed': {} } } }, 'profile.latency.tools'],
  [{ bytesPerSecond: 0 }, 'profile.bytesPerSecond'],
  [{ rateLimit: 0 }, 'profile.rateLimit'],
  [{ errors: [] }, 'Unrecognized key: "errors"'],
  [{ faults: [{ status: 502 }] }, 'profile.faults.0: probability is missing'],
  [{ faults: [{ probability: 2, status: 502 }] }, 'profile.faults.0: probability: expected a number above 0'],
  [{ faults: [{ probability: 1, status: 502, times: 3 }] }, 'profile.faults.0: times does not apply'],
  [{ faults: [{ probability: 1, statsu: 502 }] }, "profile.faults.0: unknown member 'statsu'"],
])('the profile %j is refused with the member at fault', (profile, why) => {
  expect(() => parseProfile(profile)).toThrow(RangeError);
  expect(() => parseProfile(profile)).toThrow(why);
});

import { expect, test } from 'vitest';
import { isRole } from '../../fixtures/roles.ts';
import { type Effect, effects } from '../../fixtures/side-effects.ts';
import { createStub } from '../../stub/index.ts';
import { inProcess } from '../../test/stub-target.ts';
import { combined } from '../../test/third-server/honest/index.ts';
import { startThirdServer } from '../../test/third-server/server.ts';
import { thirdTarget } from '../../test/third-server/target.ts';
import { audit } from '../engine/audit.ts';
import { mostCalls } from '../engine/options.ts';
import type { RunResult } from '../result.ts';
import { defaultPace, type Target } from '../target/target.ts';
import { Budget, ceilings, mostContentRequests, NotTested } from './budget.ts';

const asked = (explore: number, observe: boolean) => ({ seed: 1, explore, observe });

/** Counts requests by key, without those that the kit repeated after a 429. */
function made({ timeline }: RunResult): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { credential, status } of timeline) {
    const whose = isRole(credential) ? credential : 'other';
    if (status !== 429) counts.set(whose, (counts.get(whose) ?? 0) + 1);
  }
  return counts;
}

function stubTarget(allow: readonly Effect[]): Target {
  return inProcess(createStub({ seed: 1 }), { allow: [...allow] });
}

test.for([
  [[], 0, false],
  [[], 40, true],
  [['writes'], 40, true],
  [['proposals'], 0, true],
  [['proposals', 'spending'], 0, false],
  [effects, 40, true],
] as const)(
  'a run of what conforms stays well below its ceilings: %j, %d generated, observing %s',
  async ([allow, explore, observe]) => {
    const target = stubTarget(allow);
    const result = await audit(target, asked(explore, observe));
    expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(mostContentRequests / 3);
    const counts = made(result);
    for (const [whose, most] of mostCalls(target, asked(explore, observe))) {
      expect(counts.get(whose) ?? 0, whose).toBeLessThanOrEqual((most * 3) / 4);
    }
  },
);

test('so it does with one key beside primary, which sends what several keys share', async () => {
  const all = stubTarget(effects);
  const { primary, sole } = all.keys;
  const target = { ...all, keys: { ...(primary && { primary }), ...(sole && { sole }) } };
  const result = await audit(target, asked(0, true));
  const most = mostCalls(target, asked(0, true)).get('sole') ?? 0;
  expect(made(result).get('sole')).toBeGreaterThan(most / 3);
  expect(made(result).get('sole')).toBeLessThanOrEqual((most * 3) / 4);
});

test.for([
  [],
  ['forty-a-minute'],
  ['counts-even', 'changes-refused'],
  ['primary-reaches-one'],
  ['odd-slugs-and-boards', 'short-lives', 'horizon-of-a-week'],
])('so it does with a server that differs: %j', async (deployments: readonly string[]) => {
  const difference = combined(...deployments);
  const server = await startThirdServer(difference);
  const target = thirdTarget(server, difference.target(server));
  const result = await audit(target, asked(40, true));
  await server.close();
  const counts = made(result);
  expect(result.verdict).not.toBe('non-conformant');
  expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(mostContentRequests / 3);
  for (const [whose, most] of mostCalls(target, asked(40, true))) {
    expect(counts.get(whose) ?? 0, whose).toBeLessThanOrEqual((most * 3) / 4);
  }
});

test('what is not allowed needs no calls', () => {
  const extent = { observing: false, explore: 0 };
  const primary = (allow: readonly Effect[]) =>
    ceilings({ ...stubTarget(allow), pace: defaultPace }, extent).get('primary') ?? 0;
  expect(primary([])).toBeLessThan(primary(['writes']));
  expect(primary(['writes'])).toBeLessThan(primary(effects));
  expect(ceilings({ ...stubTarget([]), keys: {} }, extent)).toEqual(new Map([['other', 500]]));
});

test('a call beyond the ceiling is not sent', () => {
  const budget = new Budget([]);
  budget.countCalls('primary', 1000);
  budget.limitCalls(new Map([['primary', 3]]));
  budget.countCalls('primary', 2);
  expect(() => budget.countCalls('primary', 2)).toThrow(NotTested);
  budget.countCalls('primary', 1);
  expect(() => budget.countCalls('primary', 1)).toThrow("reached its limit of requests with the key 'primary'");
  budget.countCalls('sole', 5);
  expect(budget.stops).toEqual(["the run has reached its limit of requests with the key 'primary'"]);
});

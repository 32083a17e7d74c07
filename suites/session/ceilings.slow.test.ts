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

/** Expects that a run sends at most three quarters of what it may, and returns the requests by key. */
async function expectBelow(target: Target, explore: number, observe: boolean) {
  const result = await audit(target, asked(explore, observe));
  expect(result.verdict).not.toBe('non-conformant');
  expect(result.summary.contentRequestsCreated).toBeLessThanOrEqual(mostContentRequests / 3);
  const counts = made(result);
  const ceilings = mostCalls(target, asked(explore, observe));
  for (const [whose, most] of ceilings) expect(counts.get(whose) ?? 0, whose).toBeLessThanOrEqual((most * 3) / 4);
  return { counts, ceilings };
}

test.for([
  [[], 40, true],
  [['proposals', 'spending'], 0, false],
  [effects, 40, true],
] as const)('the stub, allowing %j, with %d generated requests, observing %s', async ([allow, explore, observe]) => {
  await expectBelow(stubTarget(allow), explore, observe);
});

test('one key beside primary, which sends what several keys share', async () => {
  const all = stubTarget(effects);
  const { primary, sole } = all.keys;
  const target = { ...all, keys: { ...(primary && { primary }), ...(sole && { sole }) } };
  const { counts, ceilings } = await expectBelow(target, 0, true);
  expect(counts.get('sole')).toBeGreaterThan((ceilings.get('sole') ?? 0) / 3);
});

test.for([['forty-a-minute'], ['odd-slugs-and-boards', 'short-lives', 'horizon-of-a-week']])(
  'the third server with %j',
  async (deployments: readonly string[]) => {
    const difference = combined(...deployments);
    await using server = await startThirdServer(difference);
    await expectBelow(thirdTarget(server, difference.target(server)), 40, true);
  },
);

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

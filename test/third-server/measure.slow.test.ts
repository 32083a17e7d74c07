import { describe, expect, test } from 'vitest';
import { requirements } from '../../suites/requirements.ts';
import { deviations, keptAside } from './deviations/index.ts';
import { deployments } from './honest/index.ts';
import { inPairs, measureDeployment, measureDeviation } from './measure.ts';

test('ids are unique, and what may stay untested exists', () => {
  const ids = deployments.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(60);
  const known = requirements.map(({ id }) => id);
  const patterns = deployments.flatMap(({ untested = [] }) => untested);
  const matches = (pattern: string): boolean =>
    known.some((id) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(id));
  expect(patterns.filter((pattern) => !matches(pattern))).toEqual([]);
});

test('about a third is kept aside', () => {
  for (const list of [deviations, deployments]) {
    const part = list.filter(({ id }) => keptAside(id)).length / list.length;
    expect(part).toBeGreaterThan(0.25);
    expect(part).toBeLessThan(0.42);
  }
});

describe('the measure', { timeout: 1_800_000 }, () => {
  test('deviations are caught', async () => {
    const outcomes = await inPairs(deviations, (one) => measureDeviation(one));
    expect(outcomes.filter(({ good }) => good).length / outcomes.length).toBeGreaterThanOrEqual(0.9);
  });

  test('honest deployments are not blamed', async () => {
    const outcomes = await inPairs(deployments, (one) => measureDeployment(one));
    expect(outcomes.filter(({ found }) => found.length > 0).map(({ id, found }) => [id, found])).toEqual([]);
  });
});

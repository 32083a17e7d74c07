import { describe, expect, test } from 'vitest';
import { requirements } from '../../suites/requirements.ts';
import { deviationClasses } from './deviation.ts';
import { deviations } from './deviations/index.ts';
import { Probe } from './probe.ts';
import { startThirdServer } from './server.ts';

test('ids are unique, requirements exist, and each class has eight members or more', () => {
  const ids = deviations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const known = new Set<string>(requirements.map(({ id }) => id));
  expect(deviations.flatMap(({ breaks }) => breaks).filter((id) => !known.has(id))).toEqual([]);
  for (const name of deviationClasses) {
    expect(deviations.filter((one) => one.class === name).length, name).toBeGreaterThanOrEqual(8);
  }
});

describe('a probe tells each deviation from the honest server', () => {
  test.each(deviations)('$id', async ({ probe, ...deviation }) => {
    const [honest, deviant] = [await startThirdServer(), await startThirdServer(deviation)];
    try {
      expect(await probe(new Probe(honest))).toBe(false);
      expect(await probe(new Probe(deviant))).toBe(true);
    } finally {
      await Promise.all([honest.close(), deviant.close()]);
    }
  });
});

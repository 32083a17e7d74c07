import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { checks } from './checks/index.ts';
import { everyDefect, pageFile } from './testing/detection/generate.ts';
import { type Detection, endedAs, matrixOf } from './testing/detection/matrix.ts';
import { measure } from './testing/detection/measure.ts';
import type { Observation } from './testing/detection/observe.ts';
import { detectionPage } from './testing/detection/page.ts';

describe('the kit against the stub with each defect, one at a time', () => {
  let honest: Observation | undefined;
  let matrix: readonly Detection[] = [];

  beforeAll(async () => {
    const observations = await measure([null, ...everyDefect]);
    honest = observations[0];
    matrix = matrixOf(observations);
  }, 300_000);

  test('without a defect nothing fails, and everything is exercised', () => {
    expect(honest?.outcomes).toEqual({});
  });

  test('every defect is found by a requirement that it breaks', () => {
    const unfound = matrix.filter(({ caughtBy, blamed }) => caughtBy.length === blamed.length);
    expect(unfound.map(({ id }) => id)).toEqual([]);
  });

  test('nothing that a defect does not break is blamed for it, or left without a verdict', () => {
    const wrong = matrix.filter(({ blamed, errored }) => blamed.length + errored.length > 0);
    expect(wrong.map(({ id, blamed, errored }) => ({ id, blamed, errored }))).toEqual([]);
  });

  test('every check fails for some defect', () => {
    const killed = new Set(matrix.flatMap(({ caughtBy }) => caughtBy));
    expect(checks.map(({ requirement }) => requirement).filter((id) => !killed.has(id))).toEqual([]);
  });

  test('docs/detection.md is what was measured', () => {
    const fresh = readFileSync(pageFile, 'utf8') === detectionPage(matrix);
    expect(fresh, 'docs/detection.md is stale: run npm run generate').toBe(true);
  });
});

test('an outcome that is not told is a pass', () => {
  const observation: Observation = { defect: null, outcomes: { 'credits.balance': 'warned' }, durationMs: 0 };
  expect(endedAs(observation, 'failed', 'warned')).toEqual(['credits.balance']);
});

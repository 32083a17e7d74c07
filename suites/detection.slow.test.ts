import { beforeAll, describe, expect, test } from 'vitest';
import { everyDefect } from '../test/detection/generate.ts';
import { type Detection, endedAs, matrixOf } from '../test/detection/matrix.ts';
import { measure } from '../test/detection/measure.ts';
import type { Observation } from '../test/detection/observe.ts';
import { defaultMaxImages } from './target/target.ts';
import { rules } from './topics/index.ts';

/** A stub in this process gets each request as a whole, so a test of this rule has a server of its own. */
const wholeRequests = 'authentication.own-key-decides';

/** Shown only if real time passes between readings. Another test has a server that charges for each reading. */
const inRealTime = { defect: 'reading-charges', rule: 'credits.reading-costs-nothing' };

describe('the kit against the stub with each defect, one at a time', () => {
  let observations: readonly Observation[] = [];
  let matrix: readonly Detection[] = [];

  beforeAll(async () => {
    observations = await measure([null, ...everyDefect.filter((id) => id !== inRealTime.defect)]);
    matrix = matrixOf(observations);
  }, 1_800_000);

  test('without a defect nothing fails, and everything is tested', () => {
    expect(observations[0]?.outcomes).toEqual({});
  });

  test('every defect is found by a requirement that it breaks', () => {
    const unfound = matrix.filter(({ caughtBy, blamed }) => caughtBy.length === blamed.length);
    expect(unfound.map(({ id }) => id)).toEqual([]);
  });

  test('nothing that a defect does not break is blamed for it, or left without a verdict', () => {
    const wrong = matrix.filter(({ blamed, errored }) => blamed.length + errored.length > 0);
    expect(wrong.map(({ id, blamed, errored }) => ({ id, blamed, errored }))).toEqual([]);
  });

  test('no run dispatches more images than it may', () => {
    const most = Math.max(...observations.map(({ imagesDispatched }) => imagesDispatched));
    expect(most).toBeLessThanOrEqual(defaultMaxImages);
    expect(most).toBeGreaterThan(0);
  });

  test('every rule fails for some defect', () => {
    const failed = new Set<string>([wholeRequests, inRealTime.rule, ...matrix.flatMap(({ caughtBy }) => caughtBy)]);
    expect(rules.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
  });
});

test('an outcome that is not told is a pass', () => {
  const observation: Observation = {
    defect: null,
    outcomes: { 'credits.balance': 'warned' },
    imagesDispatched: 0,
  };
  expect(endedAs(observation, 'failed', 'warned')).toEqual(['credits.balance']);
});

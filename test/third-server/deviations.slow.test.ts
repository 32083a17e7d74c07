import { expect, test } from 'vitest';
import { deviations } from './deviations/index.ts';
import { findersOf } from './measure.ts';

test.each(Object.entries(deviations))('%s', async (_, deviation) => {
  expect(await findersOf(deviation)).not.toEqual([]);
});

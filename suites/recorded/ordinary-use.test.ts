import { expect, test } from 'vitest';
import { type DefectId, defects } from '../../stub/variants/defects/index.ts';
import { hiddenFromOrdinaryUse } from '../testing/hidden-from-ordinary-use.ts';
import { ordinaryUse } from '../testing/ordinary-use.ts';
import { foundIn } from '../testing/recording.ts';

const hidden = Object.values(hiddenFromOrdinaryUse).flat();
const ids = Object.keys(defects).filter((id): id is DefectId => id in defects);
const shown = ids.filter((id) => !hidden.includes(id));

/** A sample; every defect with TCK_ORDINARY_USE=all. */
const every = process.env.TCK_ORDINARY_USE === 'all' ? 1 : 60;
const sample = (all: readonly DefectId[]) => all.filter((_, index) => index % every === 0);

async function audited(id?: DefectId): Promise<string[]> {
  const { traffic, target } = await ordinaryUse(id === undefined ? [] : [id]);
  return foundIn(traffic, { target, assumed: ['complete', 'clock'] });
}

test('conforming traffic has no finding', async () => {
  expect(await audited()).toEqual([]);
});

test('the list names every hidden defect once, and at least 200 are shown', () => {
  expect(hidden.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(hidden).size).toBe(hidden.length);
  expect(shown.length).toBeGreaterThan(200);
});

test.each(sample(shown))('%s is found in recorded traffic, by a requirement that it breaks', async (id) => {
  const breaks: readonly string[] = defects[id].breaks;
  expect((await audited(id)).filter((each) => breaks.includes(each))).not.toEqual([]);
});

test.each(sample(hidden))('%s is not shown by ordinary use', async (id) => {
  const breaks: readonly string[] = defects[id].breaks;
  expect((await audited(id)).filter((each) => breaks.includes(each))).toEqual([]);
});

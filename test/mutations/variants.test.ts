import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { chooseVariants } from '../../stub/variants/conforming/index.ts';
import { requirements } from '../../suites/requirements.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { standingClock } from '../stub/standing-clock.ts';
import { transcript } from '../stub/transcript.ts';
import { agree, chooseRandomly, combineVariants, type VariantName, variantNames, variants } from './variants.ts';

const choose = (...names: string[]) => chooseVariants(names, 7, variants);

const plain = transcript(createStub({ clock: standingClock }));

test.each(variantNames)('%s is seen by somebody who calls', (name) => {
  const stub = createStub({ clock: standingClock, deviation: combineVariants([name]) });
  expect(transcript(stub)).not.toEqual(plain);
});

test('every variant says what it does and where the specification leaves room for it', () => {
  const advice = new Set<string>(requirements.filter(({ level }) => level === 'should').map(({ id }) => id));
  for (const name of variantNames) {
    const { what, room, against = [] } = variants[name];
    expect({ what, room }).not.toContain('');
    expect(against.filter((id) => !advice.has(id))).toEqual([]);
  }
});

test('variants are chosen by name; what is unknown or contradicts is wrong usage', () => {
  expect(choose('huge-cap,nulls', 'nulls')).toEqual(['huge-cap', 'nulls']);
  expect(() => choose('huge-ca')).toThrow(
    new UsageError("there is no variant 'huge-ca'; did you mean 'huge-cap'? (tck list --variants)"),
  );
  expect(() => choose('constructor')).toThrow(UsageError);
  expect(() => choose('huge-cap', 'small-cap')).toThrow('contradict each other: rate limit');
});

test('variants are applied in the order of their catalogue, whatever the order of their names', () => {
  const names: VariantName[] = ['pretty-printed', 'changing-extras', 'plus-zero'];
  const transcripts = [names, names.toReversed()].map((ordered) =>
    transcript(createStub({ clock: standingClock, deviation: combineVariants(ordered) })),
  );
  expect(transcripts[0]).toEqual(transcripts[1]);
});

test('random variants depend on the seed alone, contradict each other nowhere and take nothing away', () => {
  const ofSeeds = Array.from({ length: 50 }, (_, seed) => chooseRandomly(seed));
  expect(chooseRandomly(7)).toEqual(ofSeeds[7]);
  for (const chosen of ofSeeds) {
    for (const one of chosen) expect(chosen.every((other) => one === other || agree(one, other))).toBe(true);
    expect(chosen.filter((name) => variants[name].random === false)).toEqual([]);
  }
  const ever = new Set(ofSeeds.flat());
  expect(variantNames.filter((name) => variants[name].random !== false && !ever.has(name))).toEqual([]);
  expect(choose('random,huge-cap')).toContain('huge-cap');
  expect(choose('random', 'huge-cap')).not.toContain('small-cap');
});

import { expect, test } from 'vitest';
import { agree, type DialectName, dialectNames, dialectOf, dialects, hostileMixture } from '../../fixtures/dialects.ts';
import { requirements } from '../../fixtures/requirements/index.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import { createCore } from '../core.ts';
import { standingClock } from '../testing/standing-clock.ts';
import { transcript } from '../testing/transcript.ts';
import { chooseDialects, combineDialects, dialectsOf } from './index.ts';

const plain = transcript(createCore({ clock: standingClock }));

test.each(dialectNames)('%s is seen by somebody who calls', (name) => {
  const stub = createCore({ clock: standingClock, rules: combineDialects([name]) });
  expect(transcript(stub)).not.toEqual(plain);
});

test('every dialect says what it does and where the document leaves room for it', () => {
  const advice = new Set<string>(requirements.filter(({ level }) => level === 'should').map(({ id }) => id));
  for (const name of dialectNames) {
    const { what, room, against = [], decides } = dialectOf(name);
    expect({ what, room }).not.toContain('');
    expect(against.filter((id) => !advice.has(id))).toEqual([]);
    const alternatives = dialectNames.filter((other) => dialectOf(other).decides === decides);
    if (decides !== undefined) expect(alternatives.length, name).toBeGreaterThan(1);
  }
  expect(Object.keys(dialects).length).toBeGreaterThan(60);
});

test('dialects are chosen by name; what is unknown or contradicts is wrong usage', () => {
  expect(dialectsOf({ dialect: ['pin-stays,nulls', 'nulls'] }, 1)).toEqual(['pin-stays', 'nulls']);
  expect(() => chooseDialects(['pin-stay'])).toThrow(
    new UsageError("there is no dialect 'pin-stay'; did you mean 'pin-stays'?"),
  );
  expect(() => chooseDialects(['constructor'])).toThrow(UsageError);
  expect(() => chooseDialects(['pin-stays', 'pin-refuses'])).toThrow(
    'contradict each other: pinned key with an argument',
  );
});

test('dialects are applied in the order of their catalogue, whatever the order of their names', () => {
  const names: DialectName[] = ['pretty-printed', 'changing-extras', 'escaped-letters', 'plus-zero'];
  const transcripts = [names, names.toReversed()].map((ordered) =>
    transcript(createCore({ clock: standingClock, rules: combineDialects(ordered) })),
  );
  expect(transcripts[0]).toEqual(transcripts[1]);
});

test('a hostile mixture depends on its seed alone, contradicts itself nowhere and takes nothing away', () => {
  const mixtures = Array.from({ length: 50 }, (_, seed) => hostileMixture(seededRandom(seed)));
  expect(hostileMixture(seededRandom(7))).toEqual(mixtures[7]);
  for (const mixture of mixtures) {
    for (const one of mixture) expect(mixture.every((other) => one === other || agree(one, other))).toBe(true);
    expect(mixture.filter((name) => dialectOf(name).hostile === false)).toEqual([]);
  }
  const ever = new Set(mixtures.flat());
  expect(dialectNames.filter((name) => dialectOf(name).hostile !== false && !ever.has(name))).toEqual([]);
  expect(dialectsOf({ hostile: true, dialect: ['huge-cap'] }, 7)).toContain('huge-cap');
  expect(dialectsOf({ hostile: true, dialect: ['huge-cap'] }, 7)).not.toContain('small-cap');
});

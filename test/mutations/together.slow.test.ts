import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { seededRandom } from '../../stub/seeded/random.ts';
import { together } from '../../stub/variants/defect.ts';
import { clientOf } from '../stub/client.ts';
import { standingClock } from '../stub/standing-clock.ts';
import { transcript } from '../stub/transcript.ts';
import { defects as catalogue, combineDefects, type DefectId } from './defects/index.ts';
import { combineVariants, type VariantName, variantNames } from './variants.ts';

/** Returns the error of a stub with these deviations, or undefined if it handles all requests. */
function faultOf(variants: readonly VariantName[], defects: readonly DefectId[]): string | undefined {
  try {
    transcript(
      createStub({ clock: standingClock, deviation: together(combineVariants(variants), combineDefects(defects)) }),
    );
    return undefined;
  } catch (error) {
    return `${[...variants, ...defects].join(' + ')}: ${String(error)}`;
  }
}

test('a variant and a defect never make the stub itself fail', () => {
  const random = seededRandom(11);
  const one = <T>(names: readonly T[]) => names.slice(Math.floor(random() * names.length)).slice(0, 1);
  const faults = Array.from({ length: 200 }, () =>
    faultOf(one(variantNames), one(Object.keys(catalogue) as DefectId[])),
  );
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

test.each([['weekend-first', 'days-empty', 'eighth-day']] as const)(
  'defects that meet in one field do not either: %s',
  (...defects) => {
    expect(faultOf([], defects)).toBeUndefined();
  },
);

test('if the second call decides, too, a proposal waits once, however often its id is presented and refused', () => {
  const stub = createStub({ clock: standingClock, deviation: combineDefects(['second-call-decides-count']) });
  const call = clientOf(stub);
  const [north, south] = stub.workspaces;
  const request = { workspace: north?.slug, board: north?.board, brief: 'a cup', count: 1, shape: '1:1' };
  const { confirmation_id } = call('images.generate', request).body;
  for (let time = 0; time < 3; time += 1) {
    const refused = call('images.generate', { ...request, workspace: south?.slug, confirmation_id });
    expect(refused.body.code).toBe('confirmation_invalid');
  }
  expect(stub.state().proposals).toMatchObject([{ confirmation_id }]);
});

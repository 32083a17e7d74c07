import { expect, test } from 'vitest';
import { falseFindings, honestDeployments } from '../test/honest-deployments.ts';
import { isTriedWhole } from '../test/whole.ts';

// `TCK_WHOLE=all` runs every deployment with three seeds.
const all = isTriedWhole();
const seeds = all ? [1, 2, 3] : [1];
const explore = all ? 2000 : 300;
const sample = honestDeployments.filter((_, index) => all || index % 90 === 7);
const runs = seeds.flatMap((seed) => sample.map(({ server, id, run }) => ({ server, id, seed, run })));

test.each(runs)(
  'generated requests find nothing at $server, $id, seed $seed',
  { timeout: 180_000 },
  async ({ run, seed }) => {
    expect(falseFindings(await run(explore, seed))).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import type { VariantName } from '../../test/mutations/variants.ts';
import { runThird } from '../../test/third-server/measure.ts';
import { runWith } from '../../test/variant-run.ts';
import { isTriedWhole } from '../../test/whole.ts';
import type { RunResult } from '../result.ts';

const variants: readonly VariantName[] = ['two-nodes', 'pin-stays', 'one-image-at-a-time', 'other-codes'];

const servers: readonly (readonly [name: string, run: (seed: number) => Promise<RunResult>])[] = [
  ['the third server', (seed: number) => runThird({}, 0, seed)],
  ...variants.map((name) => [`the stub with ${name}`, (seed: number) => runWith([name], false, 0, seed)] as const),
];

/** Returns the verdict and the status of each requirement that did not pass. */
const ended = ({ verdict, requirements }: RunResult) => [
  verdict,
  ...requirements.filter(({ status }) => status !== 'passed').map(({ id, status }) => `${id}: ${status}`),
];

/** All servers and ten seeds with `TCK_WHOLE=all`; otherwise three servers and two seeds. */
const tried = isTriedWhole() ? servers : servers.slice(0, 3);

test.each(tried)('every seed comes to the same on %s', { timeout: 300_000 }, async (name, run) => {
  const [first, ...others] = isTriedWhole() ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1, name.length];
  const expected = ended(await run(first ?? 1));
  for (const seed of others) expect(ended(await run(seed)), `seed ${seed}`).toEqual(expected);
});

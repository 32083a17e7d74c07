import { expect, test } from 'vitest';
import type { VariantName } from '../../test/mutations/variants.ts';
import { runThird } from '../../test/third-server/measure.ts';
import { runWith } from '../../test/variant-run.ts';
import type { RunResult } from '../result.ts';

const variants: readonly VariantName[] = ['two-nodes', 'other-codes'];

const servers: readonly (readonly [name: string, run: (seed: number) => Promise<RunResult>])[] = [
  ['the third server', (seed: number) => runThird({}, { seed })],
  ...variants.map((name) => [`the stub with ${name}`, (seed: number) => runWith([name], false, 0, seed)] as const),
];

/** Returns the verdict and the status of each requirement that did not pass. */
const ended = ({ verdict, requirements }: RunResult) => [
  verdict,
  ...requirements.filter(({ status }) => status !== 'passed').map(({ id, status }) => `${id}: ${status}`),
];

test.each(servers)('every seed comes to the same on %s', { timeout: 300_000 }, async (name, run) => {
  const expected = ended(await run(1));
  for (const seed of [2, name.length]) expect(ended(await run(seed)), `seed ${seed}`).toEqual(expected);
});

import { expect, test } from 'vitest';
import { runThird } from '../../test/third-server/measure.ts';
import { runWith } from '../../test/variant-run.ts';
import type { RunResult } from '../result.ts';

const servers: readonly (readonly [name: string, run: (seed: number) => Promise<RunResult>])[] = [
  ['the third server', (seed: number) => runThird({}, { seed })],
  ['the stub with other codes', (seed: number) => runWith(['other-codes'], false, 0, seed)],
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

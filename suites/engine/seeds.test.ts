import { expect, test } from 'vitest';
import type { VariantName } from '../../stub/variants/conforming/index.ts';
import { createOtherServer, otherTarget } from '../../test/other-target.ts';
import { startThirdServer } from '../../test/third-server/server.ts';
import { thirdTarget } from '../../test/third-server/target.ts';
import { runWith } from '../../test/variant-run.ts';
import { isTriedWhole } from '../../test/whole.ts';
import { defaultPace } from '../target.ts';
import { audit } from './audit.ts';

type Result = Awaited<ReturnType<typeof audit>>;

async function ofSecondServer(seed: number): Promise<Result> {
  const server = await createOtherServer({ cap: { calls: 5000, windowMs: 60_000, style: 'fixed' } });
  const pace = { ...defaultPace, maxBurst: 20 };
  const result = await audit(otherTarget(server, { pace }), { seed, observe: false });
  await server.close();
  return result;
}

async function ofThirdServer(seed: number): Promise<Result> {
  const server = await startThirdServer();
  const result = await audit(thirdTarget(server), { seed, observe: false });
  await server.close();
  return result;
}

const variants: readonly VariantName[] = ['two-nodes', 'pin-stays', 'one-image-at-a-time', 'other-codes'];

const servers: readonly (readonly [name: string, run: (seed: number) => Promise<Result>])[] = [
  ['the second server', ofSecondServer],
  ['the third server', ofThirdServer],
  ...variants.map((name) => [`the stub with ${name}`, (seed: number) => runWith([name], false, 0, seed)] as const),
];

/** Returns the verdict and the status of each requirement that did not pass. */
const ended = ({ verdict, requirements }: Result) => [
  verdict,
  ...requirements.filter(({ status }) => status !== 'passed').map(({ id, status }) => `${id}: ${status}`),
];

/** All servers and ten seeds with `npm run prove`; otherwise three servers and two seeds. */
const tried = isTriedWhole() ? servers : servers.slice(0, 3);

test.each(tried)('every seed comes to the same on %s', { timeout: 300_000 }, async (name, run) => {
  const [first, ...others] = isTriedWhole() ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1, name.length];
  const expected = ended(await run(first ?? 1));
  for (const seed of others) expect(ended(await run(seed)), `seed ${seed}`).toEqual(expected);
});

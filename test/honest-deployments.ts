import { variantNames } from '../stub/variants/conforming/index.ts';
import { audit } from '../suites/engine/audit.ts';
import type { RunResult } from '../suites/result.ts';
import { defaultPace } from '../suites/target.ts';
import { mixture } from './mixture.ts';
import { createOtherServer, otherTarget } from './other-target.ts';
import { deployments } from './third-server/honest/index.ts';
import { runThird } from './third-server/measure.ts';
import { runWith } from './variant-run.ts';

/** A conforming server, and a run of the kit against it with a number of generated requests. */
interface HonestDeployment {
  readonly server: 'stub' | 'second server' | 'third server';
  readonly id: string;
  run(explore: number, seed: number): Promise<RunResult>;
}

/** Number of mixtures of the second server that the project measures. */
export const mixtures = 120;

async function runMixture(number: number, explore: number, seed: number): Promise<RunResult> {
  const server = await createOtherServer(mixture(number));
  try {
    const target = otherTarget(server, { pace: { ...defaultPace, maxBurst: 700 } });
    return await audit(target, { seed, observe: false, explore, signal: AbortSignal.timeout(150_000) });
  } finally {
    await server.close();
  }
}

/** All conforming deployments of the project. */
export const honestDeployments: readonly HonestDeployment[] = [
  ...variantNames.map(
    (id): HonestDeployment => ({
      server: 'stub',
      id,
      run: (explore, seed) => runWith([id], false, explore, seed),
    }),
  ),
  ...Array.from(
    { length: mixtures },
    (_, index): HonestDeployment => ({
      server: 'second server',
      id: `mixture ${index + 1}`,
      run: (explore, seed) => runMixture(index + 1, explore, seed),
    }),
  ),
  ...deployments.map(
    (one): HonestDeployment => ({
      server: 'third server',
      id: one.id,
      run: (explore, seed) => runThird(one, explore, seed),
    }),
  ),
];

/** Returns the requirements that failed or errored, with the first finding or the reason. */
export function falseFindings({ requirements }: Pick<RunResult, 'requirements'>): string[] {
  return requirements
    .filter(({ status }) => status === 'failed' || status === 'errored')
    .map(({ id, reason, findings: [first] }) => `${id}: ${first === undefined ? reason : first.actual}`);
}

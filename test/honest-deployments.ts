import type { RunResult } from '../suites/result.ts';
import { variantNames } from './mutations/variants.ts';
import { deployments } from './third-server/honest/index.ts';
import { runThird } from './third-server/measure.ts';
import { runWith } from './variant-run.ts';

/** A conforming server, and a run of the kit against it with a number of generated requests. */
interface HonestDeployment {
  readonly server: 'stub' | 'third server';
  readonly id: string;
  run(explore: number, seed: number): Promise<RunResult>;
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

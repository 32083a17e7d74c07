import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { idsWith } from '../../test/output.ts';
import type { World } from '../../test/third-server/model.ts';
import { type Difference, startThirdServer } from '../../test/third-server/server.ts';
import { step } from '../../test/third-server/steps.ts';
import { thirdTarget } from '../../test/third-server/target.ts';
import { audit } from './audit.ts';

/** IDs of requirements that compare balances. They may stay untested if the balance also changes by itself. */
const comparingBalances: readonly string[] = [
  'confirmations.charged-as-proposed',
  'confirmations.charges-add-up',
  'confirmations.refused-costs-nothing',
  'content-requests.spends-nothing',
  'credits.one-balance',
  'credits.other-account-unchanged',
  'credits.reading-costs-nothing',
  'credits.reads-cost-nothing',
  'image-proposals.spends-nothing',
];

const spend = ({ credits }: World) => Object.assign(credits, { harbour: credits.harbour - 1 });
const enrich = ({ credits }: World) => Object.assign(credits, { harbour: 1_000_000, meadow: 1_000_000 });

async function run(difference: Difference, start: (world: World) => () => void = () => () => undefined) {
  await using server = await startThirdServer({ ...difference, world: enrich });
  const stop = start(server.world);
  return await audit(thirdTarget(server), { seed: 1, observe: false }).finally(stop);
}

/** Simulates another client that spends at random intervals with this mean. */
const atRandom = (meanMs: number) => (world: World) => {
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(
      () => {
        spend(world);
        next();
      },
      -Math.log(1 - Math.random()) * meanMs,
    );
  };
  next();
  return () => clearTimeout(timer);
};

/** On a busy machine, timers are late. The other client then spends several times at once, as often as time says. */
const regularly = (everyMs: number) => (world: World) => {
  const startedAt = performance.now();
  let times = 0;
  const timer = setInterval(() => {
    for (; times * everyMs < performance.now() - startedAt; times += 1) spend(world);
  }, everyMs);
  return () => clearInterval(timer);
};

const fast = regularly(3);

/** Delays every response, like a busy machine. */
const slow = (ms: number): Difference => ({
  steps: step('run', (next) => async (call) => {
    await delay(ms);
    return next(call);
  }),
});

test.concurrent.each<[string, Difference, ((world: World) => () => void)?]>([
  ['every 3 ms', {}, fast],
  ['every 50 ms of a busy machine', slow(20), regularly(50)],
  ['at random, about every 100 ms of a busy machine', slow(20), atRandom(100)],
])(
  'another client that spends %s causes no finding and leaves the rest tested',
  { timeout: 180_000 },
  async (...args) => {
    const [, difference, start] = args;
    const result = await run(difference, start);
    expect(idsWith(result, 'failed', 'errored')).toEqual([]);
    expect(idsWith(result, 'not-tested').filter((id) => !comparingBalances.includes(id))).toEqual([]);
    expect(result.summary.imagesConfirmed).toBeGreaterThan(0);
    if (start !== fast) return;
    const proposals = result.requirements.find(({ id }) => id === 'image-proposals.spends-nothing');
    expect(proposals?.reason).toBe(
      'the balance also changes while the run proposes and confirms nothing, so another client uses the account',
    );
  },
);

import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { effectsUsed, mostCalls } from '../suites/engine/options.ts';
import { embeddedTarget, rehearsalOf } from '../suites/target/embedded.ts';
import { skippingTimer } from '../test/skipping-timer.ts';
import { inProcess } from '../test/stub-target.ts';
import { planOf } from './plan.ts';

/** The plan of `tck plan --only`, and the run with the same options. */
async function planAndRun(only: string) {
  await using rehearsed = createStub({ seed: 1, rateLimit: 100_000 });
  await using stub = createStub({ seed: 1 });
  const target = inProcess(stub);
  const selection = { only: [only], seed: 1 };
  const planned = planOf(await audit(rehearsalOf(target, embeddedTarget(rehearsed)), selection), {
    maxImages: target.maxImages,
    maxSeconds: 60,
    most: mostCalls(target, selection),
    notices: [],
    uses: effectsUsed(selection),
  });
  const run = await audit(target, { ...selection, timer: skippingTimer(stub.advance) });
  return { planned, run };
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

test.each([
  ['schedule.rows', 0, 0],
  ['bodies.json-null', 0, 0],
  ['authentication.absent-refused', 16, 135],
  ['headers.beta-on-400', 0, 0],
  ['credits', 16, 0],
  ['rate-limit.retry-after-agree', 16, 135],
  ['content-requests.format-posts', 0, 135],
  ['image-proposals.board-unknown-refused', 16, 0],
  ['confirmations.changed-count', 16, 0],
  ['expiry.dead-late', 16, 0],
])('a run of %s keeps to its plan: at most %i images and %i content requests', async (id, images, created) => {
  const { planned, run } = await planAndRun(id);
  const { requests, imagesWorstCase, contentRequestsCreated } = run.summary;
  expect(planned).toMatchObject({ maxImages: images, maxContentRequests: created });
  expect(requests).toBeLessThanOrEqual(sum(planned.mostRequests));
  expect(requests).toBeGreaterThanOrEqual(sum(planned.requests) / 3);
  expect(imagesWorstCase).toBeLessThanOrEqual(planned.maxImages);
  expect(imagesWorstCase).toBeGreaterThanOrEqual(planned.imagesConfirmed / 3);
  expect(contentRequestsCreated).toBeLessThanOrEqual(planned.maxContentRequests);
});

test('the most requests depend on what is selected', () => {
  const target = inProcess(createStub({ seed: 1 }));
  const most = (only: string) => sum(Object.fromEntries(mostCalls(target, { only: [only] })));
  expect(most('schedule.rows')).toBeLessThan(most('confirmations.changed-count'));
  expect(most('confirmations.changed-count')).toBeLessThan(sum(Object.fromEntries(mostCalls(target, {}))));
});

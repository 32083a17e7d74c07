import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { Deviation } from '../../stub/server/behavior.ts';
import { refusal } from '../../stub/server/responses.ts';
import { calls, instead } from '../../stub/variants/changes/steps.ts';
import { together } from '../../stub/variants/defect.ts';
import { before } from '../../test/mutations/changes/steps.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { RunResult } from '../result.ts';
import { audit } from './audit.ts';
import type { AuditOptions } from './options.ts';

const requests = 300;

async function explored(deviation: Deviation | undefined, options: Partial<AuditOptions> = {}): Promise<RunResult> {
  const stub = createStub({ seed: 1, rateLimit: 100_000, ...(deviation === undefined ? {} : { deviation }) });
  const target = inProcess(stub, { shape: '1:1', maxImages: 40 });
  const timer = skippingTimer(() => undefined);
  return audit(target, {
    seed: 1,
    observe: false,
    only: ['schedule', 'arguments'],
    explore: requests,
    timer,
    ...options,
  });
}

/** Lists the parts of each request that do not depend on the run. */
const said = ({ timeline }: RunResult) =>
  timeline.map(({ credential, tool, status }) => `${credential} ${tool} ${status}`);

test('what conforms is blamed for nothing, by no more requests than wanted, the same for the same seed', async () => {
  const [without, one, same, other] = await Promise.all([
    explored(undefined, { explore: 0 }),
    explored(undefined),
    explored(undefined),
    explored(undefined, { seed: 2 }),
  ]);
  for (const { verdict } of [without, one, other]) expect(verdict).toBe('conformant');
  const more = one.summary.requests - without.summary.requests;
  // Exploring adds the requests of preflight, which the stories of this run do not need.
  expect(more).toBeGreaterThan(requests / 2);
  expect(more).toBeLessThanOrEqual(requests + 2);
  expect(said(same)).toEqual(said(one));
  expect(said(other)).not.toEqual(said(one));
});

/** Declines every `most`th request for the schedule of one workspace. Stories send fewer requests to it. */
function tiredOf(workspace: string, most: number): Deviation {
  let asked = 0;
  const isThere = calls('schedule.read');
  return together(
    before('runTool', (call) => {
      if (isThere(call) && call.body.workspace === workspace) asked += 1;
    }),
    instead(
      'runTool',
      (call) => isThere(call) && call.body.workspace === workspace && asked % most === 0,
      () => refusal('tool', { code: 'tired', message: 'Not now.' }),
    ),
  );
}

test('a failure that only generated requests find is shown with its exchange', async () => {
  const creates = calls('content.create_request');
  const refusesBrackets = instead(
    'runTool',
    (call) => creates(call) && /[*([]/.test(String(call.body.title ?? '')),
    () =>
      refusal('tool', { code: 'invalid_arguments', message: 'No.', issues: [{ path: 'title', message: 'is odd' }] }),
  );
  const result = await explored(refusesBrackets, { explore: 2000, seed: 2 });
  const failed = result.requirements.find(({ id }) => id === 'arguments.valid-never-refused');
  expect(failed?.status).toBe('failed');
  const shown = failed?.findings[0]?.exchanges.map((id) => result.exchanges[id - 1]) ?? [];
  for (const each of shown) expect(JSON.parse(each?.request.body ?? '{}').title).toMatch(/[*([]/);
  expect(shown[0]?.curl).toContain('curl');
});

test('generated requests find what shows only after several requests', async () => {
  const workspace = createStub({ seed: 1 }).workspaces[1]?.slug ?? '';
  const result = await explored(tiredOf(workspace, 7));
  const failed = result.requirements.find(({ id }) => id === 'schedule.answers');
  expect(failed?.status).toBe('failed');
});

test('with few images it says how many it needs', async () => {
  const explored = async (maxImages: number) => {
    const stub = createStub({ seed: 1, rateLimit: 100_000 });
    const target = inProcess(stub, { shape: '1:1', maxImages });
    const only = ['schedule.answers', 'race.one-dispatches'];
    return (await audit(target, { seed: 1, observe: false, only, explore: 20 })).notices.join();
  };
  expect(await explored(6)).toMatch(
    /--explore confirmed few images or none: set maxImages, which is 6, to \d+ or more/,
  );
  expect(await explored(40)).not.toContain('--explore confirmed few images');
});

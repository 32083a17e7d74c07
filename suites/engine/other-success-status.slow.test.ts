import { beforeAll, expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { changing, headers, result, sentAs, type When } from '../../stub/variants/changes/responses.ts';
import { type Deviation, together } from '../../stub/variants/defect.ts';
import { idsWith } from '../../test/output.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { RunResult } from '../result.ts';
import { defaultPace } from '../target/target.ts';
import { audit } from './audit.ts';

function run(deviation?: Deviation): Promise<RunResult> {
  const stub = createStub(deviation === undefined ? {} : { deviation });
  const target = inProcess(stub, { pace: { ...defaultPace, maxBurst: 100 } });
  return audit(target, { seed: 1, observe: false, timer: skippingTimer(stub.advance) });
}

const counts = ({ summary, leftBehind }: RunResult): unknown => ({
  created: summary.contentRequestsCreated,
  images: [summary.imagesRequested, summary.imagesConfirmed, summary.imagesWorstCase],
  left: [leftBehind.contentRequests.length, leftBehind.runs.length, leftBehind.proposals],
});

const outcome: When = ({ status }) => status === 200;

let usual: RunResult;
beforeAll(async () => {
  usual = await run();
});

test.each([
  { name: 'creations', when: result('content.create_request'), status: 201 },
  { name: 'all outcomes', when: outcome, status: 206 },
])('$status for $name is one finding, and what the run tests and counts is the same', async ({ when, status }) => {
  const other = await run(changing(when, sentAs(status)));
  expect(idsWith(other, 'failed', 'warned', 'errored')).toEqual(['envelopes.outcome-is-200']);
  expect(idsWith(other, 'not-tested')).toEqual(idsWith(usual, 'not-tested'));
  expect(counts(other)).toEqual(counts(usual));
});

test('another success status does not hide a missing header', async () => {
  const without = changing(outcome, headers({ 'x-service-api': undefined }));
  const other = await run(together(without, changing(outcome, sentAs(202))));
  expect(idsWith(other, 'failed')).toEqual(['envelopes.outcome-is-200', 'headers.beta-on-200']);
});

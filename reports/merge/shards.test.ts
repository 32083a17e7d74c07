import { expect, test } from 'vitest';
import { type SelectionOptions, selectionOf } from '../../cli/selection.ts';
import { createStub } from '../../stub/index.ts';
import { combineDefects } from '../../stub/variants/defects/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { RunResult } from '../../suites/result.ts';
import type { Target } from '../../suites/target.ts';
import { inProcess } from '../../test/stub-target.ts';
import { mergeResults } from './merge.ts';

const statusesOf = ({ requirements }: RunResult) => requirements.map(({ id, status }) => `${id} ${status}`);

async function run(target: Target, options: Partial<SelectionOptions> = {}): Promise<RunResult> {
  return audit(target, { ...selectionOf({ observe: true, explore: 60, ...options }), seed: 1 });
}

test.each([
  { of: 3, defects: [] },
  { of: 2, defects: ['unknown-tool-named-in-404', 'second-call-decides-count'] },
])('$of shards of one deployment, merged, say what one run says: $defects', async ({ of, defects }) => {
  const deviation = combineDefects(defects);
  await using stub = createStub({ deviation });
  // Enough for the whole run. Each shard has a separate limit.
  const target = inProcess(stub, { shape: '1:1', maxImages: 16 });
  const whole = await run(target);
  const { imagesDispatched, contentRequestsCreated } = stub.stats;
  const shards: RunResult[] = [];
  for (let index = 1; index <= of; index += 1) shards.push(await run(target, { shard: `${index}/${of}` }));
  const merged = mergeResults(shards);
  expect(statusesOf(merged)).toEqual(statusesOf(whole));
  expect(merged).toMatchObject({ verdict: whole.verdict, complete: whole.complete });
  expect(merged.observations.map(({ id }) => id)).toEqual(whole.observations.map(({ id }) => id).sort());
  expect(stub.stats.imagesDispatched - imagesDispatched).toBeLessThanOrEqual(12);
  expect(stub.stats.contentRequestsCreated - contentRequestsCreated).toBeLessThanOrEqual(36);
});

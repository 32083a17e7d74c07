import { expect, test } from 'vitest';
import type { Effect } from '../fixtures/side-effects.ts';
import { createStub } from '../stub/index.ts';
import { combineDefects } from '../test/mutations/defects/index.ts';
import { idsWith } from '../test/output.ts';
import { inProcess, overHttp } from '../test/stub-target.ts';
import { audit } from './engine/audit.ts';

/** Runs the kit over HTTP. Returns the counts of the stub and those of the kit. */
async function counted(allow?: Effect[]) {
  await using stub = createStub();
  const { baseUrl } = await stub.listen({ port: 0 });
  const target = overHttp(stub, baseUrl, allow === undefined ? {} : { allow });
  const { verdict, complete, summary, leftBehind, timeline } = await audit(target, { seed: 1 });
  const { stats } = stub;
  return { stats, verdict, complete, summary, leftBehind, timeline };
}

test('a run that may only read does nothing else', async () => {
  const { stats, verdict, summary, leftBehind, timeline } = await counted([]);
  expect(['conformant', 'partial']).toContain(verdict);
  expect(summary).toMatchObject({ imagesConfirmed: 0, contentRequestsCreated: 0 });
  expect(leftBehind).toEqual({ contentRequests: [], runs: [], proposals: 0 });
  expect(stats).toMatchObject({
    proposals: 0,
    runsDispatched: 0,
    imagesDispatched: 0,
    creditsSpent: 0,
    contentRequestsCreated: 0,
  });
  // A broken server might run these tools by mistake, so the kit does not send such requests at all.
  for (const role of ['primary', 'throttled', 'ambiguous', 'otherAccount'] as const) {
    expect(stats.requests({ role, tool: 'images.generate' }), role).toBe(0);
    expect(stats.requests({ role, tool: 'content.create_request' }), role).toBe(0);
  }
  // A good key under another scheme than Bearer goes to tools that only read, too.
  const sent = timeline.filter(({ credential }) => /scheme|password/.test(credential));
  expect(new Set(sent.map(({ credential }) => credential)).size).toBeGreaterThanOrEqual(5);
  const changing = ['images.generate', 'content.create_request'];
  expect(sent.filter(({ tool }) => tool !== null && changing.includes(tool))).toEqual([]);
});

test('with every side effect, 16 images and 45 content requests at most are made, and each is told', async () => {
  const { stats, verdict, complete, summary, leftBehind } = await counted();
  expect({ verdict, complete }).toEqual({ verdict: 'conformant', complete: true });
  expect(stats.imagesDispatched).toBeGreaterThan(0);
  expect(stats.imagesDispatched).toBeLessThanOrEqual(16);
  expect(stats.contentRequestsCreated).toBeGreaterThan(0);
  expect(stats.contentRequestsCreated).toBeLessThanOrEqual(45);
  expect(summary).toMatchObject({
    imagesConfirmed: stats.imagesDispatched,
    contentRequestsCreated: stats.contentRequestsCreated,
    requests: stats.requests(),
  });
  expect(leftBehind.runs).toHaveLength(stats.runsDispatched);
  expect(leftBehind.contentRequests).toHaveLength(stats.contentRequestsCreated);
});

test('a whole run leaves room for an image, so that refutable findings are repeated', async () => {
  const stub = createStub({ deviation: combineDefects(['expired-id-is-told']) });
  expect(idsWith(await audit(inProcess(stub), { seed: 1 }), 'failed')).toContain(
    'confirmations.expired-like-never-issued',
  );
});

test.each([
  { allow: ['proposals'], images: false, content: false },
  { allow: ['writes'], images: false, content: true },
  { allow: ['proposals', 'spending'], images: true, content: false },
] satisfies { allow: Effect[]; images: boolean; content: boolean }[])(
  '$allow does no more than that',
  async ({ allow, images, content }) => {
    const { stats } = await counted([...allow]);
    expect(stats.proposals > 0).toBe(images || !content);
    expect(stats.imagesDispatched > 0).toBe(images);
    expect(stats.contentRequestsCreated > 0).toBe(content);
    expect(stats.responses(429)).toBe(0);
  },
);

import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { argumentDefects } from '../../stub/variants/defects/boundary/arguments.ts';
import type { DefectId } from '../../stub/variants/defects/index.ts';
import { combineDefects } from '../../stub/variants/defects/index.ts';
import { audit } from '../engine/audit.ts';
import type { AuditOptions } from '../engine/options.ts';
import { defaultPace } from '../target.ts';
import { mixture } from '../testing/mixture.ts';
import { createOtherServer, otherTarget } from '../testing/other-target.ts';
import { inProcess } from '../testing/stub-target.ts';

const pace = { ...defaultPace, maxBurst: 40 };
const only = ['arguments.valid-never-refused', 'arguments.violation-always-named', 'arguments.anything-answered'];

async function fuzzed(defect: DefectId | undefined, options: Partial<AuditOptions> = {}) {
  const deviation = combineDefects(defect === undefined ? [] : [defect]);
  const stub = createStub({ seed: 1, rateLimit: 100_000, deviation });
  const result = await audit(inProcess(stub, { pace, shape: '1:1' }), {
    seed: 1,
    observe: false,
    only,
    fuzz: 400,
    ...options,
  });
  const failed = result.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const findings = result.requirements.flatMap((requirement) => requirement.findings);
  const bodies = findings.flatMap(({ exchanges }) =>
    exchanges.map((id) => result.exchanges[id - 1]?.request.body ?? null),
  );
  return { result, stub, failed, findings, bodies };
}

test('what conforms is blamed for nothing, whatever is drawn', async () => {
  for (const seed of [1, 2]) {
    const { result, stub } = await fuzzed(undefined, { seed });
    expect(result.reasons).toEqual([]);
    expect(result.requirements.filter(({ id }) => only.includes(id)).map(({ status }) => status)).toEqual([
      'passed',
      'passed',
      'passed',
    ]);
    expect(stub.stats.contentRequestsCreated).toBeLessThanOrEqual(5);
    expect(stub.stats.imagesDispatched).toBe(0);
  }
});

test('servers that differ are blamed for nothing either', async () => {
  for (const seed of [1, 2]) {
    const server = await createOtherServer({ ...mixture(seed), veryLargeCap: true, latencyMs: { min: 0, max: 0 } });
    const result = await audit(otherTarget(server, { pace }), { seed, observe: false, only, fuzz: 300 });
    await server.close();
    expect(result.reasons, `mixture ${seed}`).toEqual([]);
  }
});

test.for(Object.entries(argumentDefects))('chance finds %s', async ([id, { breaks }]) => {
  // The cast says what Object.entries forgets: these are ids of defects.
  const { failed, findings } = await fuzzed(id as DefectId);
  expect(failed.toSorted()).toEqual(breaks.filter((requirement) => only.includes(requirement)));
  expect(findings.length).toBeGreaterThan(0);
});

test('a failure is told as the smallest call that shows it', async () => {
  const title = await fuzzed('quotation-marks-in-titles-refused');
  expect(title.bodies).toHaveLength(1);
  expect(JSON.parse(title.bodies[0] ?? '')).toMatchObject({
    format: 'posts',
    title: expect.stringMatching(/^tck \w{8} "\.$/),
  });
  const query = await fuzzed('other-scripts-in-queries-refused');
  expect(JSON.parse(query.bodies[0] ?? '').query.length).toBeLessThan(14);
  const proto = await fuzzed('proto-keys-break-calls');
  expect(proto.bodies[0]).toMatch(/"__proto__":[^:,]{1,8}\}$/);
});

test('the calls are as many as were asked for, and a few more where one fails', async () => {
  const none = await fuzzed(undefined, { fuzz: 0 });
  const [few, many] = [await fuzzed(undefined, { fuzz: 40 }), await fuzzed(undefined, { fuzz: 200 })];
  const beyond = ({ result }: typeof none) => result.summary.requests - none.result.summary.requests;
  // Readings and proposals that every draw starts from come on top, once.
  expect(beyond(few)).toBeLessThanOrEqual(40 + 12);
  expect(beyond(many)).toBeLessThanOrEqual(200 + 12);
  const { result } = await fuzzed('null-characters-break-calls');
  expect(result.summary.requests - none.result.summary.requests).toBeLessThanOrEqual(400 + 12 + 24);
});

test('without draws the requirements are not tested, and the option is named', async () => {
  const { result } = await fuzzed(undefined, { fuzz: 0 });
  const [first] = result.requirements.filter(({ id }) => only.includes(id));
  expect(first).toMatchObject({ status: 'not-tested', reason: 'nothing is drawn by chance' });
});

test('the same seed draws the same calls', async () => {
  const drawn = async (seed: number) => {
    const { result } = await fuzzed('null-characters-break-calls', { seed });
    return result.exchanges.map(({ request }) => request.body);
  };
  expect(await drawn(7)).toEqual(await drawn(7));
});

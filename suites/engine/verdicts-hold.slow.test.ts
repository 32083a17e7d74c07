import { expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import { idsWith } from '../../test/output.ts';
import { inProcess, overHttp } from '../../test/stub-target.ts';
import { coverage, requirements } from '../requirements.ts';
import type { RunEvent, RunResult } from '../result.ts';
import { clockByUrl } from '../target/clock.ts';
import { nearMisses } from '../topics/authentication/made-credentials.ts';
import { audit } from './audit.ts';
import type { AuditOptions } from './options.ts';

const run = (stub: Stub, options: Partial<AuditOptions> = {}) =>
  audit(inProcess(stub), { seed: 1, observe: false, ...options });

/** Returns the requirements that did not pass, with their findings, for a readable message. */
function troubles({ requirements: all }: RunResult): string[] {
  return all
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, reason = '', findings }) => {
      const findingTexts = findings.map(({ expected, actual }) => `${expected}: ${actual}`);
      return [id, status, reason, ...findingTexts].join(' | ');
    });
}

test.each([1, 2, 3])('stories in the order of seed %i come to the same', async (seed) => {
  expect(troubles(await run(createStub(), { seed, shuffle: true }))).toEqual([]);
});

/** Sets of requirements that the same stories test. */
const together = Map.groupBy(requirements, ({ id }) =>
  coverage.flatMap(({ requirement, story }) => (requirement === id ? [story] : [])).join(', '),
);

test.concurrent.each([...together])('the stories of a requirement suffice for it: %s', async (_, alike) => {
  const only = alike.map(({ id }) => id);
  const result = await run(createStub(), { only });
  expect([result.verdict, idsWith(result, 'passed').toSorted()]).toEqual(['conformant', only.toSorted()]);
});

test('three times in a row on one stub', async () => {
  // High enough for all runs. Otherwise, the last one waits a minute for the rate limit.
  const stub = createStub({ rateLimit: 2000 });
  for (const seed of [1, 2, 1]) expect(troubles(await run(stub, { seed }))).toEqual([]);
});

// If one kit exhausts the key `throttled` while the other waits for it, the other waits a minute in real time.
const meeting = { timeout: 200_000 };

test('two kits at once on one stub, over HTTP, each moving the one clock', meeting, async () => {
  // High enough for both runs. Otherwise, one waits a minute for the rate limit.
  await using stub = createStub({ control: { token: 't0ken' }, rateLimit: 2000 });
  const { baseUrl } = await stub.listen();
  const { path = '', header: name = '' } = stub.control ?? {};
  const clock = clockByUrl(new URL(path, baseUrl).href, [{ name, value: 't0ken' }]);
  const kit = (seed: number) => audit(overHttp(stub, baseUrl, { clock }), { seed, observe: false });
  const results = await Promise.all([kit(1), kit(2)]);
  for (const { verdict } of results) expect(['conformant', 'partial']).toContain(verdict);
  expect(results.flatMap(troubles).filter((line) => /\| (failed|errored) \|/.test(line))).toEqual([]);
});

test('no key, and no key that nearly is one, is in the result or in what is told while it works', async () => {
  const stub = createStub();
  const target = inProcess(stub);
  const events: RunEvent[] = [];
  const result = await audit(target, { seed: 1, onEvent: (event) => events.push(event) });
  const output = JSON.stringify([result, events]);
  const nearly = Object.values(target.keys).flatMap((key) => Object.values(nearMisses(key)));
  const sent = nearly
    .map((credential) => credential?.header?.slice('Bearer '.length) ?? '')
    .filter((key) => key !== '');
  expect(sent.length).toBeGreaterThan(40);
  for (const secret of [...Object.values(stub.keys), ...sent]) expect(output).not.toContain(secret);
});

test('the same seed gives the same result but for ids and the number of what was sent', async () => {
  const [one, other] = [await run(createStub({ seed: 3 })), await run(createStub({ seed: 3 }))];
  expect(one.requirements).toEqual(other.requirements);
});

test('after a failure --bail ends the run, and says what was cut short', async () => {
  const stub = createStub({ deviation: (behavior) => ({ ...behavior, batchLimit: 0 }) });
  const result = await run(stub, { bail: true });
  expect(result.verdict).toBe('non-conformant');
  const { failed, notTested, errored } = result.summary;
  expect({ failed: failed > 0, errored, notTested: notTested > 0 }).toEqual({
    failed: true,
    errored: 0,
    notTested: true,
  });
});

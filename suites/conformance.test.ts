import { beforeAll, describe, expect, test } from 'vitest';
import { requirements } from '../fixtures/requirements/index.ts';
import { createStub } from '../stub/index.ts';
import { audit } from './engine/audit.ts';
import type { RequirementResult } from './result.ts';
import { embeddedTarget } from './target/embedded.ts';
import { loadKnownTarget, loadTarget } from './target/load.ts';
import type { Target } from './target.ts';

// The kit under a test runner: one run, and a test for each requirement. Against a deployment:
//   TCK_CONFIG=tck.config.json npx vitest run suites/conformance.test.ts
//   TCK_TARGET=https://api.example.test TCK_KEY_PRIMARY=… npx vitest run suites/conformance.test.ts -t schedule
const { TCK_CONFIG: config, TCK_TARGET: url } = process.env;

async function target(): Promise<Target> {
  const around = { env: process.env, cwd: process.cwd(), consent: () => true };
  if (config !== undefined || url !== undefined) return (await loadTarget({ config, url }, around)).target;
  return (await loadKnownTarget(embeddedTarget(createStub()), {}, around)).target;
}

let results: ReadonlyMap<string, RequirementResult>;

beforeAll(async () => {
  const result = await audit(await target(), { seed: 1, observe: false });
  results = new Map(result.requirements.map((requirement) => [requirement.id, requirement]));
}, 300_000);

const topics = Map.groupBy(requirements, ({ topic }) => topic);

describe.each([...topics])('%s', (_topic, inTopic) => {
  test.for(inTopic)('$id: $statement', ({ id }, { skip }) => {
    const result = results.get(id);
    if (result?.status === 'not-tested') skip(result.reason);
    expect(result?.status, result && findingsOf(result)).toBeOneOf(['passed', 'warned']);
  });
});

function findingsOf({ findings, reason }: RequirementResult): string {
  const lines = findings.map(({ expected, actual, hint }) => `expected ${expected}\ngot ${actual}\nhint: ${hint}`);
  return (reason === undefined ? lines : [...lines, reason]).join('\n\n');
}

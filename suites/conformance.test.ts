import { describe, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { checks } from './checks/index.ts';
import { audit } from './engine/audit.ts';
import type { RequirementResult } from './result.ts';
import { embeddedTarget } from './target/embedded.ts';
import { loadKnownTarget, loadTarget } from './target/load.ts';
import type { Target } from './target.ts';

// The checks under a test runner, with its watching, filters and sharding. Against a deployment:
//   TCK_CONFIG=tck.config.json npx vitest run suites/conformance.test.ts
//   TCK_TARGET=https://api.example.test TCK_KEY_PRIMARY=… npx vitest run suites/conformance.test.ts -t schedule
// Each check is a run of its own here, which costs more calls than `tck run`.
const { TCK_CONFIG: config, TCK_TARGET: url } = process.env;

async function target(): Promise<Target> {
  const around = { env: process.env, cwd: process.cwd() };
  if (config !== undefined || url !== undefined) return (await loadTarget({ config, url }, around)).target;
  return (await loadKnownTarget(embeddedTarget(createStub()), {}, around)).target;
}

const topics = Map.groupBy(checks, ({ requirement }) => requirement.split('.', 1)[0] ?? '');

describe.each([...topics])('%s', (_topic, inTopic) => {
  test.for(inTopic)('$requirement: $title', async (check, { skip }) => {
    const { requirements } = await audit(await target(), { checks: [check], only: [check.requirement], seed: 1 });
    const outcome = requirements.find(({ id }) => id === check.requirement);
    const findings = findingsOf(outcome);
    if (outcome?.status === 'not-tested') skip(findings);
    expect(outcome?.status, findings).toBeOneOf(['passed', 'warned']);
  });
});

function findingsOf(outcome: RequirementResult | undefined): string {
  const { findings = [], reason = [] } = outcome ?? {};
  const lines = findings.map(({ expected, actual, hint }) => `expected ${expected}\ngot ${actual}\nhint: ${hint}`);
  return lines.concat(reason).join('\n\n');
}

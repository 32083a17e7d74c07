import { selectRequirements } from '../engine/selection.ts';
import { type AuditOptions, audit } from '../index.ts';
import { requirements } from '../requirements.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import type { Target } from '../target/target.ts';

/** A deployment, or a function that starts one. The function is called once, before the first test. */
export type TargetSource = Target | (() => Target | Promise<Target>);

/** The part of a test runner that `declareTests` uses. */
export interface TestRunner {
  describe(name: string, declare: () => void): void;
  beforeAll(run: () => Promise<void>): void;
  test(name: string, run: (skip: (reason: string) => void) => void): void;
}

/**
 * Declares a suite with one run of the kit and a test for each selected requirement. Throws a `UsageError` if a pattern
 * selects nothing.
 */
export function declareTests(source: TargetSource, options: AuditOptions, runner: TestRunner): void {
  const selected = selectRequirements(requirements, options.only, options.skip);
  let result: RunResult;
  let byId: ReadonlyMap<string, RequirementResult>;
  runner.beforeAll(async () => {
    const target = typeof source === 'function' ? await source() : source;
    result = await audit(target, options);
    byId = new Map(result.requirements.map((requirement) => [requirement.id, requirement]));
  });
  // Without this test, a run that does not reach the deployment would skip all tests and pass.
  runner.test('the run reaches a verdict', () => {
    if (result.verdict === 'inconclusive') throw new Error(result.reasons.join('\n'));
  });
  for (const [topic, inTopic] of Map.groupBy(selected, (requirement) => requirement.topic)) {
    runner.describe(topic, () => {
      for (const { id, statement } of inTopic) {
        runner.test(`${id}: ${statement}`, (skip) => check(byId.get(id), result, skip));
      }
    });
  }
}

function check(tested: RequirementResult | undefined, result: RunResult, skip: (reason: string) => void): void {
  if (tested === undefined) throw new Error('the run has no result for this requirement');
  const { status, reason = '', required = false } = tested;
  if (status === 'not-tested' && required) throw new Error(`Required, but not tested: ${reason}`);
  if (status === 'not-tested') skip(reason);
  if (status === 'errored') throw new Error(reason);
  if (status === 'failed') throw new Error(findingsOf(tested, result));
}

function findingsOf({ findings }: RequirementResult, { exchanges }: RunResult): string {
  const curlOf = new Map(exchanges.map(({ id, curl }) => [id, curl]));
  const texts = findings.map(({ expected, actual, hint, note, exchanges: shown }) => {
    const last = curlOf.get(shown.at(-1) ?? -1) ?? '';
    return [`expected ${expected}`, `got ${actual}`, `hint: ${hint}`, note ?? '', last].filter(Boolean).join('\n');
  });
  return texts.join('\n\n');
}

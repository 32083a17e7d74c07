import { before, describe, test } from 'node:test';
import type { AuditOptions } from '../index.ts';
import { declareTests, type TargetSource } from './conformance.ts';

export type { TargetSource } from './conformance.ts';

/**
 * Declares a test of `node:test` for each requirement. One run of the kit decides all tests. If a requirement was not
 * tested, its test is skipped with the reason. `target` may be a function that starts the deployment.
 */
export function conformance(target: TargetSource, options: AuditOptions = {}): void {
  describe('conformance', () => {
    declareTests(target, options, {
      describe: (name, declare) => void describe(name, declare),
      beforeAll: (run) => before(run),
      test: (name, run) => void test(name, (context) => run((reason) => context.skip(reason))),
    });
  });
}

import { test as base, beforeAll, describe, expect } from 'vitest';
import type { ToolName } from '../fixtures/contract/tools.ts';
import type { AuditOptions } from '../suites/index.ts';
import type { TargetSource } from '../suites/test-runners/conformance.ts';
import { createStub, type MintOptions, type OwnWorld, whyNot } from './index.ts';
import { type Received, toHaveReceived } from './received.ts';

export type { TargetSource } from '../suites/test-runners/conformance.ts';

declare global {
  namespace Chai {
    // The type parameters of Vitest's own matcher interface differ between major versions. This interface has none.
    interface Assertion {
      /**
       * Asserts that the client sent a matching request: `expect(world).toHaveReceived('images.generate', { times: 2
       * })`.
       */
      toHaveReceived: (tool: ToolName, wanted?: Received) => unknown;
      /** Asserts that the client of a sandbox breaks no rule for clients. The message has the broken rules. */
      toBeConformant: () => unknown;
    }
  }
}

expect.extend({
  toHaveReceived,
  toBeConformant(world: OwnWorld) {
    const reasons = whyNot(world);
    return { pass: reasons === '', message: () => reasons || 'expected a client that breaks a rule for clients' };
  },
});

/**
 * Vitest's `test` with an isolated sandbox for each test that uses `world`. Clients use `world.fetch` or
 * `world.dispatcher`, and no port is opened. Set its options with `test.override('worldOptions', { seed: 7 })`. A test
 * fails if it queues a fault that matches no request. `test.override('unmetFaults', 'pass')` disables this check.
 * `stub` is the stub of the worker, which contains all sandboxes.
 */
export const test = base
  .extend('worldOptions', {} as MintOptions)
  .extend('unmetFaults', 'fail' as 'fail' | 'pass')
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads off it what a fixture needs: here, nothing.
  .extend('stub', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const stub = createStub();
    onCleanup(() => stub.close());
    return stub;
  })
  .extend('world', async ({ stub, worldOptions, unmetFaults }, { onCleanup }): Promise<OwnWorld> => {
    const world = stub.mint(worldOptions);
    onCleanup(async () => {
      await world[Symbol.asyncDispose]();
      if (unmetFaults === 'fail') world.faults.verify();
    });
    return world;
  });

/**
 * Declares a test for each requirement. All tests share one run of the kit. A test is skipped with a reason if its
 * requirement was not tested. `target` can be a function that starts the deployment.
 */
export function conformance(target: TargetSource, options: AuditOptions = {}): void {
  // Loads the kit only in files that call this function.
  describe('conformance', async () => {
    const { declareTests } = await import('../suites/test-runners/conformance.ts');
    declareTests(target, options, {
      describe,
      // No timeout: `maxDurationSeconds` limits the run.
      beforeAll: (run) => beforeAll(run, 0),
      test: (name, run) => base(name, ({ skip }) => run(skip)),
    });
  });
}

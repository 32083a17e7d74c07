import { test as base, expect } from 'vitest';
import { createStub, type MintOptions, type OwnWorld } from './index.ts';
import { type Received, toHaveReceived } from './received.ts';

declare global {
  namespace Chai {
    // Vitest's own interface for matchers has other type parameters in every major; this one has none.
    interface Assertion {
      /**
       * Passes where a client sent such a request: `expect(world).toHaveReceived('images.generate', { times: 2 })`.
       * For a sandbox behind a control plane it gives a promise.
       */
      toHaveReceived: (tool: Received['tool'], wanted?: Omit<Received, 'tool'>) => unknown;
    }
  }
}

expect.extend({ toHaveReceived });

/**
 * Vitest's `test`, with a private sandbox of the reference stub for every test that takes `world` out of its context:
 * keys, data, clock, rate limits, faults and journal of its own. Nothing listens: a client is given `world.fetch` or
 * `world.dispatcher`. How it begins is said by `test.override('worldOptions', { seed: 7 })`. A test fails that queued a
 * fault which no request met, unless `test.override('unmetFaults', 'pass')`. `stub` is the one that the sandboxes of a
 * worker belong to.
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

import { test as base } from 'vitest';
import { createStub, type MintOptions, type OwnWorld } from './index.ts';

/**
 * Vitest's `test`, with a private world of the reference stub for every test that takes `world` out of its context:
 * keys, data, clock, caps, faults and journal of its own. Nothing listens: a client is given `world.fetch` or
 * `world.dispatcher`. How a world begins is said by `test.override('worldOptions', { seed: 7 })`; `stub` is the one
 * that the worlds of a worker belong to.
 */
export const test = base
  .extend('worldOptions', {} as MintOptions)
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads off it what a fixture needs: here, nothing.
  .extend('stub', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const stub = createStub();
    onCleanup(() => stub.close());
    return stub;
  })
  .extend('world', async ({ stub, worldOptions }, { onCleanup }): Promise<OwnWorld> => {
    const world = stub.mint(worldOptions);
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  });

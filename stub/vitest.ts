import { test as base } from 'vitest';
import { createStub, type MintOptions, type OwnWorld, type Stub } from './index.ts';

export interface WorldFixtures {
  /** How the world of each test begins; set it with `test.override('worldOptions', { seed: 7 })`. */
  readonly worldOptions: MintOptions;
  /** The stub that the worlds of a worker are of. */
  readonly stub: Stub;
  /** A private world for the test: its own keys, data, clock, caps, faults and journal. */
  readonly world: OwnWorld;
}

/** Vitest's `test`, with a world of the reference stub for every test that asks for one. Nothing listens: use `world.fetch` or `world.dispatcher`. */
export const test = base
  .extend('worldOptions', {} as MintOptions)
  .extend('stub', { scope: 'worker' }, async (_context: object, { onCleanup }) => {
    const stub = createStub();
    onCleanup(() => stub.close());
    return stub;
  })
  .extend('world', async ({ stub, worldOptions }, { onCleanup }): Promise<OwnWorld> => {
    const world = stub.mint(worldOptions);
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  });

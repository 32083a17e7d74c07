import type { Dispatcher } from 'undici';
import { createCore, type StubCore, type StubOptions } from './core.ts';
import { createDispatcher } from './dispatcher.ts';

export type { StubOptions, WorkspaceAndBoard } from './core.ts';
export type { StubRequest, StubResponse } from './exchange.ts';
export type { Rules } from './rules.ts';
export type { Stats } from './state/stats.ts';

export interface Stub extends StubCore {
  /** Answers undici's calls in this process, whatever their origin. */
  readonly dispatcher: Dispatcher;
}

/** The reference stub: a seeded world, a key for each role, and the nine tools, in this process and over HTTP. */
export function createStub(options: StubOptions = {}): Stub {
  const core = createCore(options);
  return Object.assign(core, { dispatcher: createDispatcher(core.handle) });
}

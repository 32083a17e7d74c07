import { createControl } from './control/control.ts';
import { createCore, type StubCore, type StubOptions } from './core.ts';

/** The stub with its control plane, where that is asked for. */
export function createControlled(options: StubOptions): StubCore {
  return createCore(options, createControl);
}

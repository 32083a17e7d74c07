import { createControl } from './control/control.ts';
import { createCore, type StubCore, type StubOptions } from './core.ts';

/** Creates a stub with a control plane if `control` is set. */
export function createControlled(options: StubOptions): StubCore {
  return createCore(options, createControl);
}

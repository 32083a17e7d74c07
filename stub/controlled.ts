import { createControl } from './control/control.ts';
import { controlDescriptionPath } from './control/paths.ts';
import { createCore, type StubCore, type StubOptions } from './core.ts';

/** Creates a stub with a control plane if `control` is set. */
export function createControlled(options: StubOptions): StubCore {
  return createCore(options, createControl);
}

/** Returns the OpenAPI 3.1 description of the control plane as JSON text. */
export function describeControl(): string {
  const { handle } = createControlled({ control: true });
  const { body } = handle({ method: 'GET', path: controlDescriptionPath, headers: {}, body: null });
  return `${JSON.stringify(JSON.parse(body), null, 2)}\n`;
}

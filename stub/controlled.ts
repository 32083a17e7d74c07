import { createControl } from './control/control.ts';
import { controlDescriptionPath } from './control/paths.ts';
import { createCore, type StubCore, type StubOptions } from './core.ts';

/** The stub with its control plane, where that is asked for. */
export function createControlled(options: StubOptions): StubCore {
  return createCore(options, createControl);
}

/** The OpenAPI 3.1 description of the control plane as JSON text. */
export function describeControl(): string {
  const { handle } = createControlled({ control: true });
  const { body } = handle({ method: 'GET', path: controlDescriptionPath, headers: {}, body: null });
  return `${JSON.stringify(JSON.parse(body), null, 2)}\n`;
}

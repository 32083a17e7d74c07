import type { Tool } from '../behavior.ts';
import { scoped } from './scoped.ts';

/** Providers by the state of their connection. */
export const readConnections: Tool<'connections.status'> = ({ place }) =>
  scoped(place, { ok: true, ...place.workspace.content.connections });

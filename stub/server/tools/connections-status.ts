import type { ConformingTool } from '../behavior.ts';
import { scoped } from './scoped.ts';

export const readConnections: ConformingTool<'connections.status'> = ({ place }) =>
  scoped(place, { ok: true, ...place.workspace.content.connections });

import type { Session } from '../../fixtures/judgement.ts';
import type { World } from './world.ts';

/** What a client is judged by: the journal of the world that it called. */
export function sessionOf(world: World): Session {
  return { name: world.id, ...world.journal(), attended: world.attended() };
}

import type { JournalEvent } from '../journal/event.ts';
import type { StubResponse } from '../server/handle.ts';
import type { World } from '../worlds/world.ts';

/**
 * The journal of a world as server-sent events: those after a number at once, the others as they come, until the world
 * is dropped.
 */
export function eventsOf(world: World, after: number): StubResponse {
  const { events } = world.journal(after);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    body: events.map(written).join('') || ': listening\n\n',
    events: (send, over) => world.watch((event) => send(written(event)), over),
  };
}

/** JSON has no line breaks, so that one line of data is enough. */
function written(event: JournalEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

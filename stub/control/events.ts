import type { JournalEvent } from '../journal/event.ts';
import type { StubResponse } from '../server/handle.ts';
import type { World } from '../worlds/world.ts';

/**
 * Streams the journal as server-sent events: first the events after a sequence number, then new ones until the sandbox
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

/** Serialized JSON has no line breaks, so one `data` line is enough. */
function written(event: JournalEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

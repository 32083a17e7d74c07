import type { JournalEvent } from '../journal/event.ts';

/** Parses server-sent events with single-line JSON data, as the control plane writes them. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<JournalEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}

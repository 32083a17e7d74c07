/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { JournalEvent } from '../journal/event.ts';

/** Client of the control plane that served the page. Promises reject with the problem that the stub reports. */
export interface Link {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  remove(path: string): Promise<void>;
  /**
   * Calls `onEvent` with each event of a sandbox until the returned function is called. Reconnects after an
   * interruption and then starts at the first event, because the stub may have restarted.
   */
  watch(world: string, onEvent: (event: JournalEvent) => void, onState: (connected: boolean) => void): () => void;
}

export function link(token: string): Link {
  const headers = { 'x-control-token': token };

  async function send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const answer = await fetch(`/__control/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.ok) return answer;
    const said: { problem?: string } = await answer.json().catch(() => ({}));
    throw new Error(said.problem ?? `The stub responded with ${answer.status}.`);
  }

  async function listen(
    world: string,
    signal: AbortSignal,
    onEvent: (event: JournalEvent) => void,
    onState: (connected: boolean) => void,
  ) {
    const { body } = await send('GET', `worlds/${world}/events?after=0`, undefined, signal);
    onState(true);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done) return;
      const lines = (rest + read.value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice(6)));
    }
  }

  return {
    get: async (path) => (await send('GET', path)).json(),
    post: async (path, body = {}) => (await send('POST', path, body)).json(),
    remove: async (path) => {
      await send('DELETE', path);
    },
    watch(world, onEvent, onState) {
      const stop = new AbortController();
      void (async () => {
        while (!stop.signal.aborted) {
          await listen(world, stop.signal, onEvent, onState).catch(() => undefined);
          if (stop.signal.aborted) return;
          onState(false);
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      })();
      return () => stop.abort();
    },
  };
}

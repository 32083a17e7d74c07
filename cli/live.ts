import type { LiveEvent } from '../reports/live/events.ts';
import type { ProxyOptions } from '../suites/recorded/proxy/proxy.ts';

/** The live page of `tck proxy`: its URL and event handlers. */
export interface Live extends AsyncDisposable {
  readonly address: string;
  readonly onExchange: NonNullable<ProxyOptions['onExchange']>;
  readonly onFinding: ProxyOptions['onFinding'];
}

const pollMs = 500;

/** Serves the live page. `progress` returns the state of the queue of requests to judge. */
export async function openLive(
  progress: () => Omit<LiveEvent & { kind: 'progress' }, 'kind'> | undefined,
): Promise<Live> {
  const { LiveServer } = await import('../reports/live/server.ts');
  const server = new LiveServer();
  const address = await server.listen();
  let shown = '';
  const timer = setInterval(() => {
    const now = progress();
    if (now === undefined || JSON.stringify(now) === shown) return;
    shown = JSON.stringify(now);
    server.tell({ kind: 'progress', ...now });
  }, pollMs);
  return {
    address,
    onExchange: (exchange) => server.tell({ kind: 'exchange', ...exchange }),
    onFinding: (id, { expected, actual }, places) => server.tell({ kind: 'finding', id, expected, actual, places }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      server.close();
    },
  };
}

import type { LiveEvent } from '../reports/live/events.ts';
import type { ProxyOptions } from '../suites/recorded/proxy/proxy.ts';

/** The live page of `tck proxy`: what it is told of, and where it is. */
export interface Live extends AsyncDisposable {
  readonly address: string;
  readonly onExchange: NonNullable<ProxyOptions['onExchange']>;
  readonly onFinding: ProxyOptions['onFinding'];
}

const lookMs = 500;

/** Serves the page, which shows how far judging has come, too. */
export async function openLive(
  progress: () => Omit<LiveEvent & { kind: 'progress' }, 'kind'> | undefined,
): Promise<Live> {
  const { LiveServer } = await import('../reports/live/server.ts');
  const server = new LiveServer();
  const address = await server.listen();
  let shown = '';
  const look = setInterval(() => {
    const now = progress();
    if (now === undefined || JSON.stringify(now) === shown) return;
    shown = JSON.stringify(now);
    server.tell({ kind: 'progress', ...now });
  }, lookMs);
  return {
    address,
    onExchange: (exchange) => server.tell({ kind: 'exchange', ...exchange }),
    onFinding: (id, { expected, actual }, places) => server.tell({ kind: 'finding', id, expected, actual, places }),
    async [Symbol.asyncDispose]() {
      clearInterval(look);
      server.close();
    },
  };
}

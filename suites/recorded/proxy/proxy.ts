import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequirementId } from '../../../fixtures/requirements/index.ts';
import type { RunResult } from '../../result.ts';
import type { Target } from '../../target.ts';
import type { TrafficOptions } from '../options.ts';
import { selectedBy } from '../selected.ts';
import { type Certificate, createForwarder } from './forward.ts';
import { Judging, mostWaiting } from './judging.ts';
import type { ShownExchange, ToldFinding } from './messages.ts';

export interface ProxyOptions extends TrafficOptions {
  /** The deployment, without trailing slash. */
  readonly baseUrl: string;
  /** What clients meet; absent for plain HTTP. */
  readonly tls?: Certificate | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** More host names that clients use for the proxy. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Where all requests and responses are written to. */
  readonly har: string | undefined;
  /** Is told of each finding when it is met first; without any key in it. */
  readonly onFinding: (id: RequirementId, finding: ToldFinding, places: readonly string[]) => void;
  /** Is told of each exchange of the API when it is judged; without any key in it. */
  readonly onExchange?: (exchange: ShownExchange) => void;
}

export interface Progress {
  readonly passed: number;
  /** Requests that wait to be judged, and the most that may; more pass unjudged. */
  readonly waiting: number;
  readonly mostWaiting: number;
  readonly unjudged: number;
}

/** A proxy in front of a deployment that judges what passes. */
export class JudgingProxy {
  readonly #judging: Judging;
  readonly #server: Server;
  readonly #names: { isRemote: boolean; readonly more: readonly string[] };
  readonly #scheme: string;

  /** Throws a UsageError for patterns that select nothing. */
  constructor(options: ProxyOptions) {
    const { onFinding, onExchange, tls, allowHosts = [], now = wallClock, ...rest } = options;
    selectedBy(options);
    const target = rest.target && dataOf(rest.target);
    const given = { target, startedAt: Date.now(), tellsExchanges: onExchange !== undefined };
    this.#judging = new Judging({ ...rest, ...given }, now, (message) => {
      if (message.kind === 'exchange') onExchange?.(message.exchange);
      else onFinding(message.id, message.finding, message.places);
    });
    this.#names = { isRemote: false, more: allowHosts.map((name) => name.toLowerCase()) };
    this.#server = createForwarder(rest.baseUrl, this.#judging, { now, tls, names: this.#names });
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  /** How far judging is behind forwarding. */
  get progress(): Progress {
    const { passed, waiting, unjudged } = this.#judging;
    return { passed, waiting, mostWaiting, unjudged };
  }

  /** Begins to listen and gives the address. Rejects where that cannot be had. */
  async listen(port: number, host: string): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    this.#judging.start();
    // A server that listens on a port has such an address.
    const { address, port: given, family } = this.#server.address() as AddressInfo;
    this.#names.isRemote = !(address.startsWith('127.') || address === '::1');
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
  }

  /** Stops, judges what still waits, and gives what was found. */
  end(interrupted: boolean): Promise<RunResult> {
    this.#server.close();
    this.#server.closeAllConnections();
    return this.#judging.finish(interrupted);
  }
}

const wallClock = () => performance.timeOrigin + performance.now();

/** A target without what it can do: a thread is given data alone. */
function dataOf({ clock: _clock, dispatcher: _dispatcher, ...data }: Target): Target {
  return data;
}

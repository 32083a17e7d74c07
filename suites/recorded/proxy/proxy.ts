import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { RunResult } from '../../result.ts';
import type { Target } from '../../target.ts';
import type { TrafficOptions } from '../options.ts';
import { selectedBy } from '../selected.ts';
import { type Certificate, createForwarder } from './forward.ts';
import { JudgingWatcher, mostWaiting } from './judging-watcher.ts';
import type { ShownExchange, ToldFinding } from './messages.ts';

export interface ProxyOptions extends TrafficOptions {
  /** Base URL of the deployment, without a trailing slash. */
  readonly baseUrl: string;
  /** Certificate for clients; absent for plain HTTP. */
  readonly tls?: Certificate | undefined;
  /** Returns the current time in milliseconds since 1970. */
  readonly now?: () => number;
  /** Additional host names that clients use for the proxy. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Path of the HAR file for all requests and responses. */
  readonly har: string | undefined;
  /** Receives each finding on its first occurrence, without keys. */
  readonly onFinding: (id: RequirementId, finding: ToldFinding, places: readonly string[]) => void;
  /** Receives each judged exchange of the API, without keys. */
  readonly onExchange?: (exchange: ShownExchange) => void;
}

export interface Progress {
  readonly passed: number;
  /** Number of requests that wait to be judged, and its maximum. Further requests pass unjudged. */
  readonly waiting: number;
  readonly mostWaiting: number;
  readonly unjudged: number;
}

/** Proxy in front of a deployment that judges the traffic. */
export class JudgingProxy {
  readonly #watcher: JudgingWatcher;
  readonly #server: Server;
  readonly #names: { isRemote: boolean; readonly more: readonly string[] };
  readonly #scheme: string;

  /** Throws a `UsageError` if a pattern selects nothing. */
  constructor(options: ProxyOptions) {
    const { onFinding, onExchange, tls, allowHosts = [], now = wallClock, ...rest } = options;
    selectedBy(options);
    const target = rest.target && dataOf(rest.target);
    const given = { target, startedAt: Date.now(), tellsExchanges: onExchange !== undefined };
    this.#watcher = new JudgingWatcher({ ...rest, ...given }, now, (message) => {
      if (message.kind === 'exchange') onExchange?.(message.exchange);
      else onFinding(message.id, message.finding, message.places);
    });
    this.#names = { isRemote: false, more: allowHosts.map((name) => name.toLowerCase()) };
    this.#server = createForwarder(rest.baseUrl, this.#watcher, { now, tls, names: this.#names });
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  /** How far judging is behind forwarding. */
  get progress(): Progress {
    const { passed, waiting, unjudged } = this.#watcher;
    return { passed, waiting, mostWaiting, unjudged };
  }

  /** Starts to listen and returns the URL. Rejects if the address is not available. */
  async listen(port: number, host: string): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    this.#watcher.start();
    // A server that listens on a port has an `AddressInfo`.
    const { address, port: given, family } = this.#server.address() as AddressInfo;
    this.#names.isRemote = !(address.startsWith('127.') || address === '::1');
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
  }

  /** Stops the proxy, judges all waiting requests and returns the result. */
  end(interrupted: boolean): Promise<RunResult> {
    this.#server.close();
    this.#server.closeAllConnections();
    return this.#watcher.finish(interrupted);
  }
}

const wallClock = () => performance.timeOrigin + performance.now();

/** Returns a target without functions, because a thread receives only data. */
function dataOf({ clock: _clock, dispatcher: _dispatcher, ...data }: Target): Target {
  return data;
}

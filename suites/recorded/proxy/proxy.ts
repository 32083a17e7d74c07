import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequirementId } from '../../../fixtures/requirements/index.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { Redact } from '../../history/redaction/redactor.ts';
import type { RunResult } from '../../result.ts';
import type { Finding } from '../../rules/finding.ts';
import type { Judgement } from '../../rules/judge.ts';
import { judgingOf, type TrafficOptions } from '../options.ts';
import { Recording } from '../recording.ts';
import { recordedResult } from '../result.ts';
import type { Senders } from '../senders.ts';
import { HarFile } from '../write-har.ts';
import { type Certificate, createForwarder } from './forward.ts';
import { Judging, mostWaiting } from './judging.ts';

export interface ProxyOptions extends TrafficOptions {
  /** The deployment, without trailing slash. */
  readonly baseUrl: string;
  /** What clients meet; absent for plain HTTP. */
  readonly tls?: Certificate | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Where all requests and responses are written to. */
  readonly har: string | undefined;
  /** Is told of each finding when it is met first; without any key in it. */
  readonly onFinding: (id: RequirementId, finding: Finding, places: readonly string[]) => void;
  /** Is told of each exchange of the API when it is judged. */
  readonly onExchange?: (exchange: Exchange, redact: Redact) => void;
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
  readonly #options: ProxyOptions;
  readonly #startedAt = new Date();
  readonly #senders: Senders;
  readonly #selected: ReadonlySet<RequirementId>;
  readonly #recording: Recording;
  readonly #judging: Judging;
  readonly #server: Server;
  readonly #har: HarFile | undefined;
  readonly #told = new Set<string>();

  constructor(options: ProxyOptions) {
    const { baseUrl, har, tls, now = () => performance.timeOrigin + performance.now() } = options;
    const { selected, ways } = judgingOf(options);
    this.#options = options;
    this.#selected = selected;
    this.#senders = ways.senders;
    const onFinding = (id: RequirementId, finding: Finding) => this.#tell(id, finding);
    this.#recording = new Recording({ ...ways, baseUrl, onFinding }, 1);
    this.#har = har === undefined ? undefined : new HarFile(har);
    this.#judging = new Judging(this.#recording, baseUrl, now, (exchange) => {
      this.#har?.add(exchange, 0, this.#senders.redact());
      options.onExchange?.(exchange, this.#senders.redact());
    });
    this.#server = createForwarder(baseUrl, this.#judging, { now, tls });
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
    // A server that listens on a port has such an address.
    const { address, port: given, family } = this.#server.address() as AddressInfo;
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
  }

  /** Stops, judges what still waits, and gives what was found. */
  async end(interrupted: boolean): Promise<RunResult> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#judging.finish();
    const all = this.#recording.end();
    await this.#har?.end();
    const byId = Map.groupBy(all, ({ id }) => id);
    const judgements = new Map<RequirementId, Judgement[]>([...this.#selected].map((id) => [id, byId.get(id) ?? []]));
    return recordedResult({
      ...this.#options,
      kind: 'proxy',
      judgements,
      ofClient: this.#recording.ofClient(),
      requests: this.#recording.judged,
      startedAt: this.#startedAt,
      durationMs: Date.now() - this.#startedAt.getTime(),
      notices: [],
      trouble: this.#trouble(),
      interrupted,
      placeOf,
      redact: this.#senders.redact(),
    });
  }

  #trouble(): string[] {
    const unjudged = this.#judging.unjudged + this.#recording.late;
    return unjudged === 0
      ? []
      : [`${unjudged} of ${this.#judging.passed} requests were not judged: too many came at once`];
  }

  #tell(id: RequirementId, finding: Finding): void {
    const name = JSON.stringify([id, finding.expected, finding.actual]);
    if (this.#told.has(name) || this.#told.size >= mostTold) return;
    this.#told.add(name);
    const redact = this.#senders.redact();
    const { expected, actual, hint, exchanges } = finding;
    const shown = { expected: redact(expected), actual: redact(actual), hint, exchanges };
    this.#options.onFinding(
      id,
      shown,
      exchanges.map(({ number }) => placeOf(number)),
    );
  }
}

/** Different findings that are printed; the report has the others. */
const mostTold = 1000;

const placeOf = (number: number) => `request ${number} through the proxy`;

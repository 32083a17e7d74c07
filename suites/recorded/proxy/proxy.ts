import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RequirementId, requirements } from '../../../fixtures/requirements/index.ts';
import type { RunResult } from '../../result.ts';
import type { Finding } from '../../rules/finding.ts';
import { rules } from '../../rules/index.ts';
import type { Judgement } from '../../rules/judge.ts';
import { selectRequirements } from '../../selection.ts';
import type { Target } from '../../target.ts';
import type { Assumption } from '../assumptions.ts';
import { clientRulesFor } from '../client-rules.ts';
import { Recording } from '../recording.ts';
import { recordedResult } from '../result.ts';
import { Senders } from '../senders.ts';
import { HarFile } from '../write-har.ts';
import { createForwarder } from './forward.ts';
import { Judging } from './judging.ts';

export interface ProxyOptions {
  /** The deployment, without trailing slash. */
  readonly baseUrl: string;
  readonly target: Target | undefined;
  readonly assumed: readonly Assumption[];
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly require: readonly string[] | undefined;
  readonly label: string | undefined;
  /** Whether the client is judged too: all requests are of one. */
  readonly client: boolean;
  /** Where all requests and responses are written to. */
  readonly har: string | undefined;
  /** Is told of each finding when it is met first; without any key in it. */
  readonly onFinding: (id: RequirementId, finding: Finding, places: readonly string[]) => void;
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
    const { baseUrl, target, assumed, har } = options;
    this.#options = options;
    this.#selected = new Set(selectRequirements(requirements, options.only, options.skip).map(({ id }) => id));
    this.#senders = new Senders(target, assumed.includes('one-key'));
    const chosen = rules.filter(({ id }) => this.#selected.has(id));
    const onFinding = (id: RequirementId, finding: Finding) => this.#tell(id, finding);
    const more = options.client ? { clientRules: clientRulesFor(target) } : {};
    const ways = { rules: chosen, senders: this.#senders, target, baseUrl, assumed, onFinding, ...more };
    this.#recording = new Recording(ways, 1);
    this.#har = har === undefined ? undefined : new HarFile(har);
    this.#judging = new Judging(this.#recording, baseUrl, (exchange) => {
      this.#har?.add(exchange, 0, this.#senders.redact());
    });
    this.#server = createForwarder(baseUrl, this.#judging);
  }

  /** Begins to listen and gives the address. Rejects where that cannot be had. */
  async listen(port: number, host: string): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    // A server that listens on a port has such an address.
    const { address, port: given, family } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
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
    const { baseUrl, target, label, require } = this.#options;
    return recordedResult({
      baseUrl,
      kind: 'proxy',
      target,
      label,
      require,
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

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { RunResult } from '../../result.ts';
import { withoutTokens } from '../bare.ts';
import { judgingOf, type TrafficOptions } from '../options.ts';
import type { Recorded } from '../recorded.ts';
import { Recording } from '../recording.ts';
import { recordedResult } from '../result.ts';
import type { Senders } from '../senders.ts';
import { writeHar } from '../write-har.ts';
import { type Certificate, createForwarder } from './forward.ts';
import { headersOf, type Passed } from './relay.ts';

/** Finding to print, without keys. */
type PrintedFinding = Pick<Finding, 'expected' | 'actual' | 'hint'>;

export interface ProxyOptions extends TrafficOptions {
  /** Base URL of the deployment, without a trailing slash. */
  readonly baseUrl: string;
  /** Certificate for clients; absent for plain HTTP. */
  readonly tls?: Certificate | undefined;
  /** Returns the current time in milliseconds since 1970. */
  readonly now?: () => number;
  /** Additional host names that clients use for the proxy. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly har: string | undefined;
  /** Receives each finding on its first occurrence, without keys. */
  readonly onFinding: (id: RequirementId, finding: PrintedFinding, places: readonly string[]) => void;
  /** Receives each reason for incomplete responses on its first occurrence. */
  readonly onProblem?: (problem: string) => void;
}

/** Maximum number of requests in a batch, and the maximum delay of a smaller batch. */
const mostTogether = 50;
const delayMs = 5;

/** Maximum wait for an open request. If the response takes longer, the request may be too late to be judged. */
const patienceMs = 30_000;

/** Maximum number of different findings to print. The report contains the others. */
const mostPrinted = 1000;

/** Maximum number of characters in the exchanges that wait to be written to the HAR file. */
const mostRecorded = 64 * 1024 * 1024;

const placeOf = (number: number) => `request ${number} through the proxy`;

/** Proxy in front of a deployment that judges the traffic in batches, after it was forwarded. */
export class JudgingProxy {
  readonly #options: ProxyOptions;
  readonly #startedAt = new Date();
  readonly #now: () => number;
  readonly #server: Server;
  readonly #names: { isRemote: boolean; readonly more: readonly string[] };
  readonly #senders: Senders;
  readonly #selected: ReadonlySet<RequirementId>;
  readonly #recording: Recording;
  /** Open requests, and when they were sent. */
  readonly #open = new Map<object, number>();
  #batch: Passed[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;
  readonly #printed = new Set<string>();
  readonly #problems = new Map<string, { count: number; readonly first: number }>();
  /** Exchanges for the HAR file. A later request may show that a text in them is a key. */
  readonly #har: Exchange[] = [];
  #harCharacters = 0;
  #leftOutOfHar = 0;

  /** Throws a `UsageError` if a pattern selects nothing. */
  constructor(options: ProxyOptions) {
    const { baseUrl, tls, allowHosts = [], now = wallClock } = options;
    const { selected, ways } = judgingOf(options);
    this.#options = options;
    this.#now = now;
    this.#selected = selected;
    this.#senders = ways.senders;
    this.#recording = new Recording({ ...ways, baseUrl, onFinding: (...found) => this.#print(...found) }, 1);
    this.#names = { isRemote: false, more: allowHosts.map((name) => name.toLowerCase()) };
    const watch = (sentAt: number) => {
      const token = {};
      this.#open.set(token, sentAt);
      return (passed: Passed) => this.#take(token, passed);
    };
    this.#server = createForwarder(baseUrl, watch, now, this.#names, tls);
  }

  /** Starts to listen and returns the URL. Rejects if the address is not available. */
  async listen(port: number, host: string): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    // A server that listens on a port has an `AddressInfo`.
    const { address, port: given, family } = this.#server.address() as AddressInfo;
    this.#names.isRemote = !(address.startsWith('127.') || address === '::1');
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
  }

  /** Stops the proxy, judges all waiting requests and returns the result. */
  async end(): Promise<RunResult> {
    this.#judge();
    this.#isEnded = true;
    this.#server.close();
    this.#server.closeAllConnections();
    const judgements = this.#recording.end();
    const { har } = this.#options;
    if (har !== undefined && !this.#senders.isFull) {
      await writeHar(har, this.#har, this.#senders.redact());
    }
    return recordedResult({
      ...this.#options,
      kind: 'proxy',
      selected: this.#selected,
      judgements,
      ofClient: this.#recording.ofClient(),
      requests: this.#recording.judged,
      startedAt: this.#startedAt,
      notices: this.#notices(),
      trouble: this.#trouble(),
      interrupted: false,
      placeOf,
      senders: this.#senders,
    });
  }

  #take(token: object, passed: Passed): void {
    this.#open.delete(token);
    if (this.#isEnded) return;
    this.#batch.push(passed);
    if (this.#batch.length >= mostTogether) this.#judge();
    else this.#timer ??= setTimeout(() => this.#judge(), delayMs);
  }

  #judge(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const passed of this.#batch.splice(0)) {
      const exchange = this.#recording.add(recordedFrom(passed, this.#options.baseUrl));
      if (passed.problem !== undefined) this.#count(passed.problem);
      if (exchange !== undefined && this.#options.har !== undefined) this.#record(exchange);
    }
    const [oldest] = this.#open.values();
    const latest = this.#now();
    this.#recording.tell(Math.max(oldest ?? latest, latest - patienceMs) - 1e-3);
  }

  #record(exchange: Exchange): void {
    const { request, response } = exchange;
    this.#harCharacters += (request.body?.length ?? 0) + (response?.text.length ?? 0);
    // HAR entries contain only texts, not parsed values.
    if (this.#harCharacters > mostRecorded) this.#leftOutOfHar += 1;
    else
      this.#har.push({
        ...exchange,
        request: { ...request, args: null },
        response: response && { ...response, json: null },
      });
  }

  #count(problem: string): void {
    const counted = this.#problems.get(problem);
    if (counted !== undefined) counted.count += 1;
    else {
      this.#problems.set(problem, { count: 1, first: this.#recording.entries });
      this.#options.onProblem?.(`${placeOf(this.#recording.entries)}: ${problem}`);
    }
  }

  #notices(): string[] {
    const { entries } = this.#recording;
    const problems = [...this.#problems].map(
      ([problem, { count, first }]) => `${count} of ${entries} requests: ${problem}; the first is ${placeOf(first)}`,
    );
    const left = this.#leftOutOfHar;
    if (this.#options.har !== undefined && this.#senders.isFull) {
      problems.push(
        '--har: no file is written (an existing one is from an earlier run), because the traffic holds more ' +
          'different secrets than the kit can replace',
      );
    } else if (left > 0) problems.push(`--har: the file is full; ${left} later requests are not in it`);
    return [...problems, ...this.#recording.notJudged];
  }

  #trouble(): string[] {
    const { entries, late } = this.#recording;
    const failed = [...this.#problems.values()].reduce((sum, { count }) => sum + count, 0);
    const slow = `${late} of ${entries} requests were not judged: their responses took too long`;
    return [
      ...(failed > 0 && failed === entries ? ['no request got a complete response'] : []),
      ...(late > 0 ? [slow] : []),
    ];
  }

  #print(id: RequirementId, { expected, actual, hint, exchanges }: Finding): void {
    const name = JSON.stringify([id, expected, actual]);
    if (this.#printed.has(name) || this.#printed.size >= mostPrinted) return;
    this.#printed.add(name);
    const redact = this.#senders.redact();
    const shown = (text: string) => (this.#senders.isFull ? '(see the report)' : withoutTokens(redact(text)));
    const finding = { expected: shown(expected), actual: shown(actual), hint: shown(hint) };
    const places = exchanges.map(({ number }) => placeOf(number));
    this.#options.onFinding(id, finding, places);
  }
}

const wallClock = () => performance.timeOrigin + performance.now();

/** Returns a forwarded request in the form of other recordings. */
function recordedFrom({ path, requestBody, response, ...passed }: Passed, baseUrl: string): Recorded {
  const requestHeaders = headersOf(passed.requestHeaders);
  const isOmitted = requestBody.isEmpty && !requestHeaders.some(([name]) => name === 'transfer-encoding');
  const [text, headers] = [requestBody.take(), headersOf(response?.headers ?? [])];
  const codings = headers.flatMap(([name, value]) => (name === 'content-encoding' ? value : []));
  return {
    ...passed,
    url: baseUrl + path,
    requestHeaders,
    requestBody: isOmitted ? null : text,
    response: response && { status: response.status, headers, text: response.body.take(codings.join()) },
  };
}

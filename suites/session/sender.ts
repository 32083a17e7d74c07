import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Headers } from '../exchange/exchange.ts';
import { isRefusable } from '../exchange/intermediaries.ts';
import { marksOf, type Redactor, shortestSecret } from '../exchange/redactor.ts';
import { withoutUndefined } from '../json.ts';
import { userAgentOf } from '../kit.ts';
import { mustBeAnswered } from '../model/world/violations.ts';
import { secretsOf } from '../target/secrets.ts';
import type { Target } from '../target/target.ts';
import { mostRepeats, NotTested } from './budget.ts';
import {
  type Call,
  type Credential,
  effectOf,
  requireSendable,
  type SentExchange,
  type Trace,
  traceOf,
  Unanswered,
} from './call.ts';
import { KeyRenewals } from './credentials.ts';
import { Patience } from './patience.ts';
import { prepare } from './prepare.ts';
import type { RunTime } from './run-time.ts';
import { Transport } from './transport.ts';

/** One attempt. `again`: safe to resend. `closed`: the deployment closed the connection without a response. */
export type Sent = SentExchange & { again?: boolean; closed?: boolean };

/** What the parts of a session share. */
interface SenderOptions {
  readonly target: Target;
  readonly redactor: Pick<Redactor, 'redact' | 'learn'>;
  readonly signal: AbortSignal;
  readonly time: RunTime;
  /** Identifies the requests of this run in their `User-Agent`, and in traces. */
  readonly runId: string | undefined;
}

/** Request header with the IDs of the W3C Trace Context. */
const traceHeader = 'traceparent';

/** Sends single requests and records the exchanges. */
export class Sender {
  readonly exchanges: SentExchange[] = [];
  /** Indexed by the number of the exchange. */
  readonly calls: Call[] = [];
  readonly patience = new Patience();
  /** Called when a request is sent, and again when its response arrives or can no longer arrive. */
  readonly listeners: ((exchange: SentExchange) => void)[] = [];
  readonly #options: SenderOptions;
  readonly #keys: KeyRenewals;
  readonly #marks: RegExp;
  readonly #transport: Transport;
  #closed = false;

  constructor(options: SenderOptions) {
    const { target, redactor, runId } = options;
    this.#options = options;
    this.#keys = new KeyRenewals(target);
    this.#marks = marksOf([...secretsOf(target).values()]);
    this.#transport = new Transport({ ...target, redact: redactor.redact, userAgent: userAgentOf(runId) });
  }

  #tell(exchange: SentExchange): void {
    for (const listener of this.listeners) listener(exchange);
  }

  /** Closes the transport and refuses further requests. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#transport.close();
  }

  /** Sends a request. `into` receives each exchange that may have reached the deployment, even if this throws. */
  async send(given: Call, into: SentExchange[], fresh: boolean, barrier?: Barrier): Promise<Sent> {
    const { target, signal, time } = this.#options;
    time.check();
    if (signal.aborted) throw new Unanswered('the run was interrupted');
    if (this.#closed) throw new Unanswered('the run is over');
    const call = { ...given, credential: await this.#keys.current(given.credential) };
    requireSendable(call);
    this.#hide(call.credential);
    const { request, url, bytes, headers } = prepare(call, target);
    const trace = this.#traceOf(call, headers);
    if (this.#marks.test(`${request.url} ${request.body}`)) {
      throw new NotTested('a value from a response contains a key: the kit does not send it back');
    }
    const givenUp = this.patience.givenUp(request);
    if (givenUp !== undefined) throw new Unanswered(givenUp.reason, givenUp.exchange);
    const sentAt = time.elapsedMs();
    const { label, kind, role = null } = call.credential;
    const exchange: SentExchange = {
      kind: 'exchange',
      number: this.exchanges.length,
      sender: { label, role, kind: kind ?? (role === null ? 'other' : 'key') },
      request,
      response: null,
      sentAt,
      receivedAt: sentAt,
      clockMoved: time.movedMs,
      together: barrier?.calls ?? 1,
      invented: call.invented ?? [],
      observes: call.observes ?? null,
      odd: call.odd ?? false,
      refusable: isRefusable(request),
      ...withoutUndefined({ story: call.story, step: call.step, trace }),
    };
    this.exchanges.push(exchange);
    this.calls.push(call);
    into.push(exchange);
    const around = async () => {
      const other = await call.around?.();
      if (other !== undefined && exchange.response === null) exchange.around = other;
    };
    // A dispatcher in this process gets the whole body at once.
    const overNetwork = target.dispatcher === undefined && bytes !== null;
    const held = overNetwork ? (barrier?.hold(bytes) ?? (call.around && holding(bytes, around))) : undefined;
    if (held === undefined && call.around !== undefined) await patiently(around());
    const inParts = held ?? (overNetwork && call.chunked === true ? inChunks(bytes) : undefined);
    this.#tell(exchange);
    const sent = await this.#transport.send({
      method: request.method,
      url,
      headers: [
        ...headers,
        ...(held && bytes ? [['content-length', String(bytes.byteLength)] satisfies Headers[number]] : []),
        // The last part asks the service to record the trace.
        ...(trace ? [[traceHeader, `00-${trace.traceId}-${trace.spanId}-01`] satisfies Headers[number]] : []),
      ],
      body: inParts === undefined ? bytes : Readable.from(inParts),
      fresh,
      signal,
    });
    exchange.receivedAt = time.elapsedMs();
    if ('problem' in sent) {
      const closed = call.closed ?? 0;
      if (sent.closed && fresh && closed >= mostRepeats.onBreak && mustBeAnswered(exchange)) {
        exchange.closedInARow = closed;
      }
      exchange.problem = sent.problem;
      this.#tell(exchange);
      if (sent.timedOut) this.patience.timedOut(exchange);
      return Object.assign(exchange, { again: sent.beforeAnswer && this.#mayRepeat(call), closed: sent.closed });
    }
    const completed = Object.assign(exchange, sent);
    this.#tell(exchange);
    this.patience.answered(completed);
    return exchange;
  }

  /** Sends a request several times simultaneously. */
  sendAtOnce(call: Call, into: SentExchange[], times: number): Promise<PromiseSettledResult<Sent>[]> {
    const barrier = new Barrier(times);
    return Promise.allSettled(Array.from({ length: times }, () => this.send(call, into, true, barrier)));
  }

  /** Of requests that are sent once, only a broken connection to a deployment that serves others is tried again. */
  #mayRepeat(call: Call): boolean {
    if (effectOf(call) !== undefined) return false;
    return call.once !== true || this.exchanges.some(({ response }) => response?.status === 200);
  }

  /** Returns `closed`, or 0 if the deployment is down: it does not respond to a request that it served before. */
  async closedInARow({ tool }: Call, closed: number): Promise<number> {
    if (closed < mostRepeats.onBreak) return closed;
    const control = this.calls.find((call, number) => {
      const isReading = call.odd !== true && call.credential.good && effectOf(call) === undefined;
      return isReading && call.tool !== tool && this.exchanges[number]?.response?.status === 200;
    });
    const response = control && (await this.send(control, [], true)).response;
    return response && response.status < 500 ? closed : 0;
  }

  /** A text that resembles a key is a secret, too: a server may repeat it. */
  #hide({ header = '', label }: Credential): void {
    const value = header.slice(header.indexOf(' ') + 1);
    if (value.length >= shortestSecret && this.#options.redactor.redact(value) === value)
      this.#options.redactor.learn(value, label);
  }

  /** Undefined if traces are off, or if the configuration or the call sets the header. */
  #traceOf({ story = '' }: Call, headers: Headers): Trace | undefined {
    const { runId, target } = this.#options;
    if (runId === undefined || target.trace === false) return undefined;
    if (headers.some(([name]) => name.toLowerCase() === traceHeader)) return undefined;
    return traceOf(runId, story, this.exchanges.length);
  }
}

/** Yields the body in two parts, or in one if it is too short. */
async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (half < bytes.length) yield bytes.subarray(half);
}

/** Longest wait for the slowest request, in milliseconds. */
const patienceMs = 1000;

/**
 * Makes the bodies of several requests end simultaneously. Each request sends all but its last byte, then waits for the
 * others. The last bytes follow together, so the requests are as simultaneous as the network allows.
 */
class Barrier {
  readonly calls: number;
  #missing: number;
  readonly #open = Promise.withResolvers<void>();

  constructor(calls: number) {
    this.calls = calls;
    this.#missing = calls;
  }

  hold(body: Uint8Array): AsyncGenerator<Uint8Array> {
    return holding(body, () => {
      this.#missing -= 1;
      if (this.#missing <= 0) this.#open.resolve();
      return this.#open.promise;
    });
  }
}

/** Sends all but the last byte of a body, then waits for others, whether they succeed or fail. */
async function* holding(body: Uint8Array, others: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, -1);
  await patiently(others().catch(() => undefined));
  yield body.subarray(-1);
}

/** Waits for other requests, but not for long: they may have to wait until this request ends. */
async function patiently(others: Promise<void>): Promise<void> {
  const end = new AbortController();
  const patience = pause(patienceMs, undefined, { signal: end.signal }).catch(() => undefined);
  await Promise.race([others, patience]).finally(() => end.abort());
}

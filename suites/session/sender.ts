import type { Exchange } from '../exchange.ts';
import { marksOf } from '../history/redaction/marks.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { secretsOf } from '../target/secrets.ts';
import type { Target } from '../target.ts';
import type { BalanceWatch } from './balance-watch.ts';
import type { Barrier } from './barrier.ts';
import { NotTested } from './budget.ts';
import { type Call, Unanswered } from './call.ts';
import { Patience } from './patience.ts';
import { prepare } from './prepare.ts';
import type { RunTime } from './run-time.ts';
import { requireSendable } from './too-large.ts';
import { Transport } from './transport.ts';

/** Sends one request at a time, and records what came of it. */
export class Sender {
  readonly exchanges: Exchange[] = [];
  /** By the number of their exchange. */
  readonly calls: Call[] = [];
  readonly patience = new Patience();
  /** Are told of each exchange when it is sent, and when its response was received or will not come. */
  readonly listeners: ((exchange: Exchange, isOver: boolean) => void)[] = [];
  /** Is called before each request, and may end the run. */
  requireTime: () => void = () => undefined;
  #closed = false;
  readonly #target: Target;
  readonly #signal: AbortSignal;
  readonly #time: RunTime;
  readonly #balances: BalanceWatch;
  readonly #marks: RegExp;
  readonly #transport: Transport;

  constructor(
    target: Target,
    redact: Redact,
    signal: AbortSignal,
    time: RunTime,
    balances: BalanceWatch,
    userAgent: string,
  ) {
    this.#target = target;
    this.#signal = signal;
    this.#time = time;
    this.#balances = balances;
    this.#marks = marksOf([...secretsOf(target).values()]);
    const { concurrency: connections, timeoutSeconds } = target.pace;
    this.#transport = new Transport({ timeoutSeconds, connections, redact, userAgent, dispatcher: target.dispatcher });
  }

  #tell(exchange: Exchange, isOver: boolean): void {
    for (const listener of this.listeners) listener(exchange, isOver);
  }

  /** Sends nothing more. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#transport.close();
  }

  /** Sends a request; whatever may have reached the deployment is in `into`, however this ends. */
  async send(call: Call, into: Exchange[], fresh: boolean, barrier?: Barrier): Promise<Exchange & { again?: boolean }> {
    this.requireTime();
    if (this.#signal.aborted) throw new Unanswered('the run was interrupted');
    if (this.#closed) throw new Unanswered('the run is over');
    requireSendable(call);
    const { request, url, bytes, headers } = prepare(call, this.#target);
    if (this.#marks.test(`${request.url} ${request.body}`)) {
      throw new NotTested('a value from a response contains a key: the kit does not send it back');
    }
    const givenUp = this.patience.givenUp(request);
    if (givenUp !== undefined) throw new Unanswered(givenUp.reason, givenUp.exchange);
    const held = barrier !== undefined && this.#target.dispatcher === undefined && bytes !== null;
    const exchange: Exchange = {
      seq: this.exchanges.length,
      credential: call.credential,
      request,
      answer: null,
      problem: null,
      atMs: this.#time.elapsedMs(),
      durationMs: 0,
      clockMovedMs: this.#time.movedMs,
      ...(barrier === undefined ? {} : { together: barrier.calls }),
    };
    this.exchanges.push(exchange);
    this.calls.push(call);
    into.push(exchange);
    const isChunked = call.chunked === true && this.#target.dispatcher === undefined;
    const asked = this.#balances.moment;
    this.#tell(exchange, false);
    const sent = await this.#transport.send({
      method: request.method,
      url,
      headers: held ? [...headers, ['content-length', String(bytes.byteLength)]] : headers,
      body: held ? barrier.hold(bytes) : isChunked && bytes !== null ? inChunks(bytes) : bytes,
      fresh,
      signal: this.#signal,
    });
    exchange.durationMs = this.#time.elapsedMs() - exchange.atMs;
    if ('problem' in sent) {
      exchange.problem = sent.problem;
      this.#tell(exchange, true);
      if (sent.timedOut) this.patience.timedOut(exchange);
      return Object.assign(exchange, { again: sent.beforeAnswer && !fresh });
    }
    exchange.answer = sent.answer;
    this.#tell(exchange, true);
    this.patience.answered(exchange);
    this.#balances.seen({ ...exchange, answer: sent.answer }, asked);
    return exchange;
  }
}

/** Two parts, or one where there is no more. */
async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (half < bytes.length) yield bytes.subarray(half);
}

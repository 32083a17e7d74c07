import { Worker } from 'node:worker_threads';
import type { RunResult } from '../../result.ts';
import { UsageError } from '../../usage/usage-error.ts';
import type { Watcher } from './forward.ts';
import type { FromThread, PassedHead, ThreadOptions, ToThread } from './messages.ts';
import type { Passed } from './passed.ts';

/** Maximum number of requests that wait to be judged. Further requests pass unjudged. */
export const mostWaiting = 10_000;
const mostBytes = 64 * 1024 * 1024;

/** Maximum number of requests in a batch, and the maximum delay of a smaller batch. */
const mostTogether = 200;
const handOverMs = 5;

/** Maximum wait for an open request. If the response takes longer, the request may be too late to be judged. */
const patienceMs = 30_000;

/** Weight of a request in addition to its bodies, in bytes. */
const ownWeight = 2000;

/** Receives the messages of the judging thread while requests pass. */
type OnMessage = (message: Extract<FromThread, { kind: 'finding' | 'exchange' }>) => void;

/** Passes the traffic to a thread that judges it, so that forwarding never waits for judging. */
export class JudgingWatcher implements Watcher {
  readonly #options: ThreadOptions;
  readonly #onMessage: OnMessage;
  #thread: Worker | undefined;
  readonly #now: () => number;
  readonly #ended = Promise.withResolvers<RunResult>();
  readonly #underWay = new Map<object, number>();
  /** Requests of the next batch, and their bodies. */
  #heads: PassedHead[] = [];
  #bodies: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Number of requests that passed, that wait to be judged, and that stay unjudged because too many waited. */
  passed = 0;
  waiting = 0;
  unjudged = 0;

  constructor(options: ThreadOptions, now: () => number, onMessage: OnMessage) {
    this.#options = options;
    this.#now = now;
    this.#onMessage = onMessage;
  }

  start(): void {
    // This works for the TypeScript files of a checkout and the JavaScript files of the package.
    const file = import.meta.url.replace(/judging-watcher(\.[jt]s)$/, 'thread$1');
    this.#thread = new Worker(new URL(file), { workerData: this.#options });
    this.#thread.on('message', (message: FromThread) => this.#hear(message));
    this.#thread.on('error', (error) => this.#ended.reject(error));
    // `finish` reports the error.
    this.#ended.promise.catch(() => undefined);
  }

  begin(token: object, sentAt: number): void {
    this.#underWay.set(token, sentAt);
  }

  end(token: object, passed: Passed): void {
    this.#underWay.delete(token);
    this.passed += 1;
    const head = headOf(passed);
    const bytes = weightOf(head);
    if (this.waiting >= mostWaiting || this.#bytes + bytes > mostBytes) {
      this.unjudged += 1;
      return;
    }
    this.waiting += 1;
    this.#bytes += bytes;
    this.#heads.push(head);
    this.#bodies.push(...(passed.requestBody.chunks ?? []), ...(passed.response?.body.chunks ?? []));
    if (this.#heads.length >= mostTogether) this.#handOver();
    else this.#timer ??= setTimeout(() => this.#handOver(), handOverMs);
  }

  /** Judges all waiting requests and returns the result. */
  async finish(interrupted: boolean): Promise<RunResult> {
    this.#handOver();
    this.#send({ kind: 'end', interrupted, passed: this.passed, unjudged: this.unjudged });
    try {
      return await this.#ended.promise;
    } finally {
      await this.#thread?.terminate();
    }
  }

  #handOver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [oldest] = this.#underWay.values();
    const latest = this.#now();
    const moment = Math.max(oldest ?? latest, latest - patienceMs) - 1e-3;
    this.#send({ kind: 'passed', passed: this.#heads, bodies: Buffer.concat(this.#bodies), moment });
    this.#heads = [];
    this.#bodies = [];
  }

  #send(message: ToThread): void {
    this.#thread?.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (message.kind === 'judged') {
      this.waiting -= message.count;
      this.#bytes -= message.bytes;
    } else if (message.kind === 'ended') this.#ended.resolve(message.result);
    else if (message.kind === 'refused') this.#ended.reject(new UsageError(message.message));
    else this.#onMessage(message);
  }
}

/** Returns the memory that a request and its response take while they wait, in bytes. */
export const weightOf = ({ requestBody, response }: PassedHead) =>
  ownWeight + (requestBody ?? 0) + (response?.body ?? 0);

function headOf({ requestBody, response, ...rest }: Passed): PassedHead {
  const answered = response && { ...response, body: response.body.length };
  return { ...rest, requestBody: requestBody.length, response: answered };
}

import type { Exchange } from '../../history/exchange.ts';
import type { Recorded } from '../recorded.ts';
import type { Recording } from '../recording.ts';
import type { Passed, Watcher } from './forward.ts';

/** Requests that may wait to be judged; others pass unjudged. */
export const mostWaiting = 10_000;
const mostBytes = 64 * 1024 * 1024;

/** Judging has the processor for so long, and then leaves it to forwarding. */
const turnMs = 2;
const pauseMs = 10;

/** Nobody waits longer for the end of a request that began earlier: its response will come out of order. */
const patienceMs = 30_000;

/** Judges what passes behind its forwarding: in turns, and from a queue that never holds it up. */
export class Judging implements Watcher {
  readonly #recording: Recording;
  readonly #baseUrl: string;
  readonly #now: () => number;
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #underWay = new Map<object, number>();
  readonly #queue: Passed[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Requests that passed, and those that were not judged since too many waited. */
  passed = 0;
  unjudged = 0;

  constructor(recording: Recording, baseUrl: string, now: () => number, onExchange: (exchange: Exchange) => void) {
    this.#recording = recording;
    this.#baseUrl = baseUrl;
    this.#now = now;
    this.#onExchange = onExchange;
  }

  /** Requests that wait to be judged. */
  get waiting(): number {
    return this.#queue.length;
  }

  begin(token: object, sentAt: number): void {
    this.#underWay.set(token, sentAt);
  }

  end(token: object, passed: Passed): void {
    this.#underWay.delete(token);
    this.passed += 1;
    const bytes = sizeOf(passed);
    if (this.#queue.length >= mostWaiting || this.#bytes + bytes > mostBytes) {
      this.unjudged += 1;
      return;
    }
    this.#queue.push(passed);
    this.#bytes += bytes;
    this.#timer ??= setTimeout(() => this.#turn(), 0);
  }

  /** Judges everything that waits. */
  finish(): void {
    clearTimeout(this.#timer);
    for (const passed of this.#queue.splice(0)) this.#judge(passed);
  }

  #turn(): void {
    const until = performance.now() + turnMs;
    let done = 0;
    while (done < this.#queue.length && performance.now() < until) {
      const passed = this.#queue[done];
      done += 1;
      if (passed !== undefined) this.#judge(passed);
    }
    this.#queue.splice(0, done);
    const [oldest] = this.#underWay.values();
    const latest = this.#now();
    // What waits in the queue ended later than what was judged, and may have begun earlier.
    const waiting = this.#queue.reduce((least, { sentAt }) => Math.min(least, sentAt), latest);
    this.#recording.tell(Math.max(Math.min(oldest ?? latest, waiting), latest - patienceMs) - 1e-3);
    this.#timer =
      this.#queue.length === 0 ? undefined : setTimeout(() => this.#turn(), this.#underWay.size === 0 ? 0 : pauseMs);
  }

  #judge(passed: Passed): void {
    this.#bytes -= sizeOf(passed);
    const exchange = this.#recording.add(recordedOf(passed, this.#baseUrl));
    if (exchange !== undefined) this.#onExchange(exchange);
  }
}

const sizeOf = ({ requestBody, response }: Passed) => 2000 + requestBody.bytes + (response?.body.bytes ?? 0);

function recordedOf(
  { method, path, requestHeaders, requestBody, response, sentAt, receivedAt }: Passed,
  baseUrl: string,
): Recorded {
  const isOmitted = requestBody.bytes === 0 && !requestHeaders.some(([name]) => name === 'transfer-encoding');
  const encoding = response?.headers
    .find(([name]) => name === 'content-encoding')?.[1]
    .trim()
    .toLowerCase();
  return {
    method,
    url: baseUrl + path,
    requestHeaders,
    requestBody: isOmitted ? null : requestBody.text(),
    response: response && { status: response.status, headers: response.headers, text: response.body.text(encoding) },
    sentAt,
    receivedAt,
  };
}

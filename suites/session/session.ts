import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Effect } from '../../fixtures/effects.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Answered, Credential, Exchange, SentRequest } from '../exchange.ts';
import { isRecord } from '../json.ts';
import type { HeaderList, RunEvent, TimelineEntry } from '../result.ts';
import type { Target } from '../target.ts';
import { Barrier } from './barrier.ts';
import { Budget } from './budget.ts';
import { countedAs } from './ceilings.ts';
import { bearer } from './credentials.ts';
import { Gate } from './gate.ts';
import { Ledger } from './ledger.ts';
import { Patience } from './patience.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { realTimer, type Timer } from './timer.ts';
import { Transport } from './transport.ts';

/** A call as a check describes it. */
export interface Call {
  /** The last segment of the path; any text. */
  tool: string;
  credential: Credential;
  /** JSON arguments; leave out for a call without a body. */
  args?: Readonly<Record<string, unknown>>;
  /** A body as it is, instead of `args`. */
  body?: string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  query?: string;
  method?: string;
  /** Path below the base URL, instead of the tool's. */
  path?: string;
  baseUrl?: string;
  /** An answer 429 is what the call is after: it is neither waited out nor repeated. */
  wants429?: boolean;
  /** The workspace that it names is certainly out of reach for its key. */
  outOfReach?: boolean;
  /** It is meant to confirm, and the images that it may cost are set aside. */
  confirms?: boolean;
  /** Calls of lower rank go before it; 0 where absent. */
  rank?: number;
  /** Made only to be observed; what the document does not describe may be answered in any way but a 5xx. */
  odd?: boolean;
}

/** Thrown where a call got no answer; the check that made it cannot be judged. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  // Private, so that whoever prints the error prints no credential.
  readonly #exchange: Exchange | undefined;

  constructor(problem: string, exchange?: Exchange) {
    super(problem);
    this.#exchange = exchange;
  }

  /** The exchange that shows it, where there was one. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }
}

/** How often a call is repeated because of answers 429, and a reading call because of a broken connection. */
const mostRepeats = { on429: 20, onBreak: 2 };

/** Of calls that have waited already. */
const repeatsRank = -1;

/** The longest answer that is read, and how much shorter it is once answers of this run fill the memory. */
const mostBytes = 4 * 1024 * 1024;
const mostBytesOfRun = 256 * 1024 * 1024;
const mostBytesAfterwards = 64 * 1024;

/** The only place with I/O: sends, records, paces, repeats where that is safe, and keeps count of what was done. */
export class Session {
  readonly exchanges: Exchange[] = [];
  /** When the deployment's clock was moved, in milliseconds since the start of the run. */
  readonly movedAtMs: number[] = [];
  readonly ledger = new Ledger();
  readonly budget: Budget;
  readonly #target: Target;
  readonly #transport: Transport;
  readonly #gate: Gate;
  readonly #signal: AbortSignal;
  readonly #onEvent: (event: RunEvent) => void;
  readonly #timer: Timer;
  readonly #startedAt: number;
  readonly #patience = new Patience();
  readonly #pins = new Map<Role, string>();
  #closed = false;
  #waitEndsAt = 0;
  #bytesOfRun = 0;

  constructor(target: Target, signal: AbortSignal, onEvent: (event: RunEvent) => void, timer: Timer = realTimer) {
    const { concurrency, requestsPerMinute, timeoutSeconds } = target.pace;
    this.#target = target;
    this.#signal = signal;
    this.#onEvent = onEvent;
    this.#timer = timer;
    this.#startedAt = timer.now();
    this.budget = new Budget(target.allow, target.maxImages);
    this.#gate = new Gate(concurrency, requestsPerMinute, timer);
    // Calls held back by a cap must not outlive an interruption.
    signal.addEventListener('abort', () => this.#gate.open(), { once: true });
    this.#transport = new Transport({ timeoutSeconds, connections: concurrency, dispatcher: target.dispatcher });
  }

  /** Milliseconds since the start of the run. */
  elapsedMs(): number {
    return this.#timer.now() - this.#startedAt;
  }

  /** Sends nothing more: a check that ended early may have left calls waiting. */
  close(): Promise<void> {
    this.#closed = true;
    this.#gate.open();
    return this.#transport.close();
  }

  /** The credential of a configured role; undefined where it has no key. */
  credential(role: Role): Credential | undefined {
    const key = this.#target.keys[role];
    if (key === undefined) return undefined;
    const pinnedTo = this.#pins.get(role);
    return { ...bearer(key), ...(pinnedTo === undefined ? {} : { pinnedTo }) };
  }

  /** Notes that a key may be pinned, so that what it does with a `workspace` argument is not held against the deployment. */
  mayBePinned(role: Role, workspace: string): void {
    this.#pins.set(role, workspace);
  }

  /**
   * Sends a call and returns its answer. An unwanted 429 is waited out and the call repeated; a reading call is repeated
   * when its connection breaks before an answer. Throws `Unanswered` where no answer came, `NotExercised` where an
   * effect is not allowed.
   */
  async send(call: Call): Promise<Answered> {
    const changes = effectOf(call);
    if (changes !== undefined) this.budget.require(changes);
    this.budget.countCalls(countedAs(call.credential), 1);
    // Whoever is after a 429 must not be kept from it.
    const lane = call.wants429 === true ? null : call.credential.label;
    let breaks = 0;
    for (let repeats = 0; ; ) {
      await this.#gate.enter(lane, repeats > 0 ? repeatsRank : (call.rank ?? 0));
      let exchange: Exchange & { again?: boolean };
      let waitSeconds: number | undefined;
      try {
        // A surprise may have stopped it while it waited.
        if (changes !== undefined) this.budget.require(changes);
        exchange = await this.#sendOnce(call, changes !== undefined);
        if (lane !== null && exchange.answer?.status === 429) waitSeconds = this.#holdBack(exchange, lane);
        else if (exchange.answer !== null) this.#patience.served(call.credential.label);
      } finally {
        this.#gate.leave(lane, waitSeconds);
      }
      if (exchange.answer === null) {
        breaks += 1;
        if (exchange.again !== true || breaks > mostRepeats.onBreak) {
          throw new Unanswered(exchange.problem ?? 'no answer', exchange);
        }
        continue;
      }
      const answered = readable(exchange);
      if (answered.answer.status !== 429 || call.wants429 === true) return answered;
      repeats += 1;
      if (repeats > mostRepeats.on429) throw new Unanswered(`still 429 after ${repeats} repetitions`, exchange);
    }
  }

  /** Sends the same call several times at one moment; answers in the order of sending. */
  async sendAtOnce(call: Call, times: number): Promise<Answered[]> {
    const changes = effectOf(call);
    if (changes !== undefined) this.budget.require(changes);
    this.budget.countCalls(countedAs(call.credential), times);
    const barrier = new Barrier(times);
    const sent = await Promise.all(Array.from({ length: times }, () => this.#sendOnce(call, true, barrier)));
    for (const { answer } of sent) if (answer?.status !== 429) this.#gate.passed(call.credential.label);
    return sent.map(readable);
  }

  /** Waits real time; rejects when the run is interrupted. */
  async wait(seconds: number, reason: string): Promise<void> {
    this.#onEvent({ kind: 'waiting', reason, seconds });
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        callOff();
        reject(new Unanswered('the run was interrupted'));
      };
      const callOff = this.#timer.after(seconds * 1000, () => {
        this.#signal.removeEventListener('abort', stop);
        resolve();
      });
      if (this.#signal.aborted) stop();
      else this.#signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Moves the deployment's clock. Throws `Unanswered` where that did not work. */
  async advance(seconds: number): Promise<void> {
    try {
      await this.#target.clock?.advance(seconds, this.#signal);
    } catch (error) {
      throw new Unanswered(`the clock could not be moved: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.movedAtMs.push(this.elapsedMs());
    this.#gate.forgetPauses();
  }

  timeline(): TimelineEntry[] {
    return this.exchanges.map(({ atMs, durationMs, credential, request, answer, waitedMs }) => ({
      atMs: Math.round(atMs),
      durationMs: Math.round(durationMs * 10) / 10,
      credential: credential.label,
      tool: request.tool,
      status: answer?.status ?? null,
      ...(waitedMs === undefined ? {} : { waitedMs }),
    }));
  }

  /** Notes that a call has to wait, and gives the seconds. Throws `Unanswered` where that is not to be waited out. */
  #holdBack(exchange: Exchange, lane: string): number {
    const seconds = retryAfterSeconds(exchange) ?? 1;
    if (seconds > this.#target.pace.maxWaitSeconds) {
      throw new Unanswered(`a 429 asks to wait ${seconds} s, longer than maxWaitSeconds`, exchange);
    }
    const endsAt = this.elapsedMs() + seconds * 1000;
    const tooOften = this.#patience.toldToWait(lane, exchange.atMs, endsAt);
    if (tooOften !== undefined) throw new Unanswered(tooOften, exchange);
    exchange.waitedMs = seconds * 1000;
    // Many calls of one key meet the same cap at once; one line tells it.
    if (endsAt > this.#waitEndsAt + 100) {
      this.#waitEndsAt = endsAt;
      this.#onEvent({ kind: 'waiting', reason: `${lane} is over its rate cap`, seconds });
    }
    return seconds;
  }

  async #sendOnce(call: Call, fresh: boolean, barrier?: Barrier): Promise<Exchange & { again?: boolean }> {
    if (this.#signal.aborted) throw new Unanswered('the run was interrupted');
    if (this.#closed) throw new Unanswered('the run is over');
    const { request, bytes, headers } = this.#prepare(call);
    const givenUp = this.#patience.givenUp(request);
    if (givenUp !== undefined) throw new Unanswered(givenUp.reason, givenUp.exchange);
    const held = barrier !== undefined && this.#target.dispatcher === undefined && bytes !== null;
    const exchange: Exchange = {
      seq: this.exchanges.length,
      credential: call.credential,
      request,
      answer: null,
      problem: null,
      atMs: this.elapsedMs(),
      durationMs: 0,
    };
    this.exchanges.push(exchange);
    const sent = await this.#transport.send({
      method: request.method,
      url: request.url,
      headers: held ? [...headers, ['content-length', String(bytes.byteLength)]] : headers,
      body: held ? barrier.hold(bytes) : bytes,
      fresh,
      mostBytes: this.#bytesOfRun < mostBytesOfRun ? mostBytes : mostBytesAfterwards,
      signal: this.#signal,
    });
    exchange.durationMs = this.elapsedMs() - exchange.atMs;
    if ('problem' in sent) {
      exchange.problem = sent.problem;
      if (sent.timedOut) this.#patience.timedOut(exchange);
      return Object.assign(exchange, { again: sent.beforeAnswer && !fresh });
    }
    exchange.answer = sent.answer;
    this.#bytesOfRun += sent.answer.text.length;
    this.#patience.answered(exchange);
    const { dispatched } = this.ledger.enter({ ...exchange, answer: sent.answer });
    if (dispatched && call.confirms !== true) this.budget.stopAfterSurprise(1);
    return exchange;
  }

  #prepare(call: Call): { request: SentRequest; bytes: Uint8Array | null; headers: HeaderList } {
    const base = call.baseUrl ?? (call.credential.role && this.#target.keys[call.credential.role]?.baseUrl);
    const path = call.path ?? `${toolsPath}${call.tool}`;
    const raw = call.body ?? (call.args === undefined ? null : JSON.stringify(call.args));
    const bytes = typeof raw === 'string' ? Buffer.from(raw, 'utf8') : raw;
    const plain: HeaderList = raw === null ? [] : [['content-type', 'application/json']];
    for (const [name, value] of Object.entries(call.headers ?? {})) {
      const at = plain.findIndex(([known]) => known === name);
      if (at >= 0) plain.splice(at, 1);
      plain.push([name, value]);
    }
    const { header, curl } = call.credential;
    const extra = this.#target.headers.map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
    return {
      request: {
        method: call.method ?? 'POST',
        url: `${base ?? this.#target.baseUrl}${path}${call.query === undefined ? '' : `?${call.query}`}`,
        tool: call.path === undefined ? call.tool : null,
        headers: [
          ...(header === undefined ? [] : [['authorization', curl ?? '(secret)'] satisfies [string, string]]),
          ...plain,
          ...this.#target.headers.map(({ name }): [string, string] => [name.toLowerCase(), '(configured)']),
        ],
        body: bytes === null ? null : Buffer.from(bytes).toString('utf8'),
        args: isRecord(call.args) ? call.args : null,
        outOfReach: call.outOfReach ?? false,
        odd: call.odd ?? false,
      },
      bytes,
      headers: [
        ...(header === undefined ? [] : [['authorization', header] satisfies [string, string]]),
        ...plain,
        ...extra,
      ],
    };
  }
}

/** An exchange as checks see it. Throws `Unanswered` where no answer came, or one that cannot be read. */
function readable(exchange: Exchange): Answered {
  const { answer, problem } = exchange;
  if (answer === null) throw new Unanswered(problem ?? 'no answer', exchange);
  if (answer.unread !== undefined)
    throw new Unanswered(`an answer that the kit does not read: ${answer.unread}`, exchange);
  return { ...exchange, answer };
}

/** What a call may do to the deployment, beyond reading: a broken one may run even what it should refuse. */
export function effectOf(call: Call): Effect | undefined {
  if (!call.credential.good) return undefined;
  if (call.tool === 'content.create_request') return 'writes';
  if (call.tool === 'images.generate') return 'proposals';
  return undefined;
}

import { type Completed, isCompleted, retryAfter } from '../exchange/exchange.ts';
import type { Redact } from '../exchange/redactor.ts';
import type { RunEvent } from '../result.ts';
import { redactorOf } from '../target/secrets.ts';
import type { Target } from '../target/target.ts';
import { readBalanceBefore } from './balance-watch.ts';
import { Barrier } from './barrier.ts';
import { Budget, type Counted, countedAs, mostRepeats, NotTested } from './budget.ts';
import { type Call, effectOf, readable, Unanswered, unanswered } from './call.ts';
import { type Care, Gate } from './gate.ts';
import { mayHaveCreated, reachesImages } from './image-requests.ts';
import { MovedLimits } from './moved-limits.ts';
import { prepare } from './prepare.ts';
import { defaultLimit, RunTime, rateOfPace, realTimer, type Timer, whatUsedTheTime } from './run-time.ts';
import { Sender, type Sent } from './sender.ts';
import type { SentExchange } from './sent-exchange.ts';
import { type Intent, type Reservation, Spending, Throttled } from './spending.ts';

/** What came of requests that are sent at the same time. */
interface Turn {
  readonly sent: SentExchange[];
  reservation: Reservation | undefined;
  waitSeconds: number | undefined;
}

/**
 * The only place that sends requests to the API. Records and paces the requests, repeats them if that is safe, and
 * tracks side effects.
 */
export class Session {
  readonly time: RunTime;
  readonly budget: Budget;
  /** Removes the target's secrets from everything that leaves the kit. */
  readonly redact: Redact;
  readonly spending: Spending;
  readonly #target: Target;
  readonly #signal: AbortSignal;
  readonly #sender: Sender;
  readonly #limits: MovedLimits;
  readonly #gate: Gate;
  #unwatch: () => void = () => undefined;

  /** @param runId identifies the requests of this run in their `User-Agent`, and in traces */
  constructor(
    target: Target,
    signal: AbortSignal,
    onEvent: (event: RunEvent) => void,
    timer: Timer = realTimer,
    runId?: string,
  ) {
    const { concurrency, requestsPerMinute } = target.pace;
    this.#target = target;
    this.#signal = signal;
    this.time = new RunTime(timer, target.clock, signal, onEvent);
    this.budget = new Budget(target.allow);
    this.spending = new Spending(this.budget, target, this.time);
    this.#gate = new Gate(concurrency, requestsPerMinute, timer);
    this.#limits = new MovedLimits(this.time, target.clock && ((seconds) => this.advance(seconds)));
    // Requests that wait for a rate limit must not outlive an interruption.
    signal.addEventListener('abort', () => this.#gate.open(), { once: true });
    const redactor = redactorOf(target);
    this.redact = redactor.redact;
    this.#sender = new Sender(target, redactor, signal, this.time, runId);
    this.listen((exchange) => this.spending.balances.see(exchange));
  }

  get exchanges(): readonly SentExchange[] {
    return this.#sender.exchanges;
  }

  /** The calls of the exchanges, with their secrets. */
  get calls(): readonly Call[] {
    return this.#sender.calls;
  }

  /** Adds a listener, which is called when a request is sent, and again when it ends. */
  listen(listener: (exchange: SentExchange) => void): void {
    this.#sender.listeners.push(listener);
  }

  get isInterrupted(): boolean {
    return this.#signal.aborted;
  }

  /** Sends nothing more. A check that ended early may have left requests waiting. */
  close(): Promise<void> {
    this.#unwatch();
    this.#gate.open();
    return this.#sender.close();
  }

  /**
   * Sends a call and returns the exchange. Waits out an unwanted 429 and repeats the request. A request that may have a
   * side effect is repeated only once, and a confirmation never. Repeats reading requests after a broken connection or
   * a 5xx. Throws `Unanswered` without a response. Throws `NotTested` if the side effect is not allowed or the run has
   * reached a limit.
   */
  async send(call: Call): Promise<Completed> {
    const changes = effectOf(call);
    await this.#mayBegin(call);
    this.budget.countCalls(countedAs(call.credential), 1);
    // A request that tests the rate limit must reach the limit, so the gate does not delay it.
    const lane = call.wants429 === true ? null : call.credential.label;
    const mostOn429 = changes === undefined ? mostRepeats.on429 : mostRepeats.changingOn429;
    let breaks = 0;
    let closed = 0;
    let failures = 0;
    for (let repeats = 0; ; ) {
      const { exchange, way } = await this.#attempt({ ...call, closed }, lane, repeats, breaks > 0);
      if (exchange.response === null) {
        breaks += 1;
        if (exchange.again === true && breaks <= mostRepeats.onBreak) {
          closed = exchange.closed === true ? await this.#sender.closedInARow(call, closed + 1) : 0;
          continue;
        }
        throw unanswered(exchange);
      }
      const isRepeatable = changes === undefined && call.once !== true;
      if (exchange.response.status >= 500 && isRepeatable && failures < mostRepeats.on5xx) {
        failures += 1;
        continue;
      }
      if (exchange.response.status !== 429 || call.wants429 === true) return readable(exchange);
      if (way === 'correct' || way === 'counted') throw new Throttled();
      // While it is unknown whether the limit follows the clock, a repetition after an advance does not count.
      if (exchange.movedFor !== true || this.#limits.followed) repeats += 1;
      if (repeats <= mostOn429) continue;
      if (changes === undefined) throw new Unanswered(`still 429 after ${repeats} repetitions`, exchange);
      throw new NotTested('still 429 after one repetition; the run repeats no request with a side effect more often');
    }
  }

  repeat(number: number): Promise<Completed> {
    const call = this.#sender.calls[number];
    if (call === undefined) throw new Error(`no request ${number} was sent`);
    return this.send(call);
  }

  /** Throws `NotTested` if the side effect of a call is not allowed. */
  async #mayBegin(call: Call): Promise<void> {
    const changes = effectOf(call);
    if (changes !== undefined) this.budget.require(changes);
    await readBalanceBefore(call, this.#target, this.spending.balances, (reading) => this.send(reading));
  }

  /** Sends a call once. Also returns how it presented an ID. */
  async #attempt(call: Call, lane: string | null, repeats: number, fresh: boolean) {
    const changes = effectOf(call);
    const rank = repeats > 0 || call.goesFirst === true ? -1 : 0;
    // A request that may be repeated only once goes alone then: the limit may be on the requests in flight.
    const overlaps = call.overlaps === true && lane !== null && this.#gate.rateOf(lane) === undefined;
    const intent = this.#intentOf(call, 1);
    const confirms = this.spending.isCorrect(intent);
    const alone = (confirms && !overlaps) || (repeats > 0 && changes !== undefined);
    const care = alone ? 'alone' : changes === undefined ? 'none' : 'room';
    return await this.#inTurn(intent, call, { lane, rank, care }, async (turn) => {
      const exchange: Sent = await this.#sender.send(call, turn.sent, fresh || changes !== undefined);
      if (lane !== null && exchange.response?.status === 429) turn.waitSeconds = await this.#heed(exchange, lane);
      else if (exchange.response !== null) this.#served(exchange, exchange.response.status);
      return { exchange, way: turn.reservation?.way };
    });
  }

  /**
   * Sends a call up to `most` times simultaneously, as often as the remaining images allow, when the rate limit admits
   * one request. Returns the exchanges in order of sending.
   */
  async sendAtOnce(call: Call, most: number): Promise<Completed[]> {
    await this.#mayBegin(call);
    const lane = call.credential.label;
    return await this.#inTurn(this.#intentOf(call, most), call, { lane, rank: 0, care: 'alone' }, async (turn) => {
      const times = turn.reservation?.runners ?? most;
      this.budget.countCalls(countedAs(call.credential), times);
      const barrier = new Barrier(times);
      const all = Array.from({ length: times }, () => this.#sender.send(call, turn.sent, true, barrier));
      const results = await Promise.allSettled(all);
      const refused = turn.sent.find(({ response }) => response?.status === 429);
      turn.waitSeconds = refused && Math.min(retryAfter(refused) ?? 1, this.#target.pace.maxWaitSeconds);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      return turn.sent.toSorted((a, b) => a.number - b.number).map(readable);
    });
  }

  /**
   * Sends when the pace and the budget allow it: what the requests may cost is set aside right before, and counted
   * right after.
   */
  async #inTurn<T>(
    intent: Intent,
    call: Call,
    { lane, rank, care }: { lane: string | null; rank: number; care: Care },
    send: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    const changes = effectOf(call);
    if (changes !== undefined && lane !== null) await this.#limits.makeRoom(lane);
    const turn: Turn = { sent: [], reservation: undefined, waitSeconds: undefined };
    const admit = () => {
      if (changes !== undefined) this.budget.require(changes);
      if (changes === 'writes') return this.budget.reserveContentRequest();
      const reservation = this.spending.before(intent);
      if (reservation === 'wait') return false;
      turn.reservation = reservation;
      return true;
    };
    const mayChange = changes !== undefined || reachesImages(intent.request);
    await this.#gate.enter(lane, rank, care, mayChange ? admit : undefined);
    try {
      return await send(turn);
    } finally {
      this.spending.after(turn.reservation, turn.sent);
      if (changes === 'writes') {
        for (const exchange of turn.sent.filter(isCompleted)) this.spending.ledger.contentRequest(exchange);
        this.budget.settleContentRequest(turn.sent.some(mayHaveCreated));
      }
      this.#gate.leave(lane, turn.waitSeconds);
    }
  }

  #intentOf(call: Call, times: number): Intent {
    return { request: prepare(call, this.#target).request, by: call.credential, times };
  }

  /** Advances the deployment's clock. Throws `Unanswered` if that fails. */
  async advance(seconds: number): Promise<void> {
    try {
      await this.time.advance(seconds);
    } finally {
      this.#sender.requireTime();
    }
    this.#limits.moved(seconds);
    this.#gate.forgetPauses();
  }

  /**
   * Calls `end` when the run reaches `seconds`. Waits for the deployment's time to pass do not count. By default, the
   * rates that the keys have shown determine the limit.
   */
  limitTime(mostRequests: ReadonlyMap<Counted, number>, seconds: number | undefined, end: () => void): void {
    const paced = rateOfPace(this.#target.pace);
    const limitOf = () => seconds ?? defaultLimit(mostRequests, (key) => this.#gate.rateOf(key) ?? paced);
    this.time.leftMs = () => limitOf() * 1000 - (this.time.elapsedMs() - this.time.waitedMs);
    this.#sender.requireTime = () => {
      if (this.time.leftMs() > 0) return;
      const used = whatUsedTheTime(this.exchanges, this.time.advances, this.time.elapsedMs());
      this.budget.note(`the run reached its longest duration of ${limitOf()} s: ${used}`);
      this.#sender.requireTime = () => undefined;
      this.#unwatch();
      end();
    };
    // While all requests wait, no request triggers the check, so a timer does.
    this.#unwatch = this.time.watch(() => this.#sender.requireTime());
  }

  /** Handles a response other than 429. A 5xx may pause all requests. */
  #served(exchange: SentExchange, status: number): void {
    // An ordinary 500 does not show that an outage is over.
    if (status < 500) {
      this.#gate.resume();
      this.#limits.served(exchange.sender.label);
    }
    const { maxWaitSeconds } = this.#target.pace;
    const seconds = this.#sender.patience.outage(exchange, this.time.elapsedMs(), maxWaitSeconds);
    if (seconds === 0) return;
    this.#gate.pause(seconds);
    this.time.tellWait(`the deployment responded with ${status}`, seconds);
  }

  /**
   * Waits out a 429 by advancing the clock if the limit follows it. Otherwise returns the seconds that the key must
   * wait. Throws `Unanswered` if the wait is too long or repeated too often.
   */
  async #heed(exchange: Sent, lane: string): Promise<number | undefined> {
    const seconds = retryAfter(exchange) ?? 1;
    if (seconds > this.#target.pace.maxWaitSeconds) {
      throw new Unanswered(`a 429 asks to wait ${seconds} s, longer than maxWaitSeconds`, exchange);
    }
    exchange.movedFor = await this.#limits.pass(lane, exchange, seconds);
    if (exchange.movedFor) return undefined;
    const tooOften = this.#sender.patience.limited(lane, exchange, this.time.elapsedMs(), seconds);
    if (tooOften !== undefined) throw new Unanswered(tooOften, exchange);
    exchange.waitedMs = seconds * 1000;
    this.time.tellWait(`${lane} is over its rate limit`, seconds);
    return seconds;
  }
}

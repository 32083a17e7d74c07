import { type Completed, isCompleted, retryAfter } from '../exchange/exchange.ts';
import type { Redact } from '../exchange/redactor.ts';
import type { RunEvent } from '../result.ts';
import { redactorOf } from '../target/secrets.ts';
import type { Target } from '../target/target.ts';
import { readBalanceBefore } from './balance-watch.ts';
import { Budget, type Counted, Disturbed, mostRepeats, NotTested } from './budget.ts';
import { type Call, effectOf, readable, type SentExchange, Unanswered, unanswered } from './call.ts';
import { type Entry, Pace } from './pace.ts';
import { prepare } from './prepare.ts';
import { defaultLimit, RunTime, rateOfPace, realTimer, type Timer } from './run-time.ts';
import { Sender, type Sent } from './sender.ts';
import { type Intent, type Reservation, Spending } from './spending.ts';

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
  readonly #pace: Pace;

  /** @param runId identifies the requests of this run in their `User-Agent`, and in traces */
  constructor(
    target: Target,
    signal: AbortSignal,
    onEvent: (event: RunEvent) => void,
    timer: Timer = realTimer,
    runId?: string,
  ) {
    this.#target = target;
    this.#signal = signal;
    this.time = new RunTime(timer, target.clock, signal, onEvent);
    this.budget = new Budget(target.allow);
    this.spending = new Spending(this.budget, target, this.time);
    this.#pace = new Pace(target.pace, this.time, target.clock && ((seconds) => this.time.advance(seconds)));
    this.time.onAdvanced.push((seconds) => this.#pace.advanced(seconds));
    // Requests that wait for a rate limit must not outlive an interruption.
    signal.addEventListener('abort', () => this.#pace.open(), { once: true });
    const redactor = redactorOf(target);
    this.redact = redactor.redact;
    this.#sender = new Sender({ target, redactor, signal, time: this.time, runId });
    this.listen((exchange) => {
      this.spending.balances.see(exchange);
      if (isCompleted(exchange)) this.#heed(exchange);
    });
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
    this.time.stop();
    this.#pace.open();
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
    this.budget.countCalls(call.credential.role ?? 'other', 1);
    // A request that tests the rate limit must reach the limit, so the gate does not delay it.
    const lane = call.wants429 === true ? null : call.credential.label;
    const mostOn429 = changes === undefined ? mostRepeats.on429 : mostRepeats.changingOn429;
    let breaks = 0;
    let closed = 0;
    let failures = 0;
    for (let repeats = 0; ; ) {
      const { exchange, confirms } = await this.#attempt({ ...call, closed }, lane, repeats, breaks > 0);
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
      // The confirmation counts as spent, and the run presents only new IDs.
      if (confirms) throw new Disturbed('a confirmation got a 429: the run does not send the same ID again');
      repeats += 1;
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

  /** Sends a call once. Also returns whether it presented an ID that may dispatch. */
  async #attempt(call: Call, lane: string | null, repeats: number, fresh: boolean) {
    const changes = effectOf(call);
    const rank = repeats > 0 || call.goesFirst === true ? -1 : 0;
    // A request that may be repeated only once goes alone then: the limit may be on the requests in flight.
    const overlaps = call.overlaps === true && lane !== null && this.#pace.rateOf(lane) === undefined;
    const intent = this.#intentOf(call, 1);
    const confirms = intent !== undefined && this.spending.isConfirmation(intent);
    const alone = (confirms && !overlaps) || (repeats > 0 && changes !== undefined);
    return await this.#inTurn(intent, { lane, rank, alone, room: changes !== undefined }, async (sent, reservation) => {
      const exchange: Sent = await this.#sender.send(call, sent, fresh || changes !== undefined);
      if (lane !== null && exchange.response?.status === 429) await this.#waitOut(exchange, lane);
      return { exchange, confirms: reservation?.confirms === true };
    });
  }

  /**
   * Sends a call up to `most` times simultaneously, as often as the remaining images allow, when the rate limit admits
   * one request. Returns the exchanges in order of sending.
   */
  async sendAtOnce(call: Call, most: number): Promise<Completed[]> {
    await this.#mayBegin(call);
    const lane = call.credential.label;
    return await this.#inTurn(
      this.#intentOf(call, most),
      { lane, alone: true, room: true },
      async (sent, reservation) => {
        const times = reservation?.runners ?? most;
        this.budget.countCalls(call.credential.role ?? 'other', times);
        const results = await this.#sender.sendAtOnce(call, sent, times);
        const limited = sent.find(({ response }) => response?.status === 429);
        if (limited !== undefined) {
          const seconds = Math.min(retryAfter(limited) ?? 1, this.#target.pace.maxWaitSeconds);
          if (!(await this.#pace.waitByClock(lane, limited, seconds))) this.#pace.refused(lane, limited, seconds);
        }
        for (const result of results) if (result.status === 'rejected') throw result.reason;
        return sent.toSorted((a, b) => a.number - b.number).map(readable);
      },
    );
  }

  /**
   * Sends when the pace and the budget allow it: what the requests may cost is set aside right before, and counted
   * right after.
   */
  async #inTurn<T>(
    intent: Intent | undefined,
    entry: Entry,
    send: (sent: SentExchange[], reservation: Reservation | undefined) => Promise<T>,
  ): Promise<T> {
    const sent: SentExchange[] = [];
    let reservation: Reservation | undefined;
    const admit = (wanted: Intent) => {
      const made = this.spending.before(wanted);
      if (made !== 'wait') reservation = made;
      return made !== 'wait';
    };
    await this.#pace.enter({ ...entry, admit: intent && (() => admit(intent)) });
    try {
      return await send(sent, reservation);
    } finally {
      reservation?.after(sent);
      this.#pace.leave(entry.lane);
    }
  }

  /** Returns what to set aside for a call; undefined if it can change nothing. */
  #intentOf(call: Call, times: number): Intent | undefined {
    const effect = effectOf(call);
    if (effect === undefined && effectOf({ ...call, credential: { ...call.credential, good: true } }) !== 'proposals')
      return undefined;
    return { request: prepare(call, this.#target).request, by: call.credential, effect, times };
  }

  /**
   * Calls `end` when the run reaches `seconds`. By default, the rates that the keys have shown determine the limit.
   */
  limitTime(mostRequests: ReadonlyMap<Counted, number>, seconds: number | undefined, end: () => void): void {
    const paced = rateOfPace(this.#target.pace);
    const rateOf = (key: Counted) => this.#pace.rateOf(key) ?? paced;
    let longest = 0;
    // A rate that is raised must not shorten a limit on which the run has relied.
    const limitOf = () => {
      longest = Math.max(longest, defaultLimit(mostRequests, rateOf));
      return seconds ?? longest;
    };
    this.time.limit(limitOf, () => {
      this.budget.note(`the run reached its longest duration of ${limitOf()} s`);
      end();
    });
  }

  /** Heeds what a response says about the load. A 5xx may pause all requests. */
  #heed(exchange: Completed): void {
    const { status } = exchange.response;
    // An ordinary 500 does not show that an outage is over.
    if (status < 500 && status !== 429) this.#pace.served(exchange.sender.label);
    const { maxWaitSeconds } = this.#target.pace;
    const seconds = this.#sender.patience.outage(exchange, this.time.elapsedMs(), maxWaitSeconds);
    if (seconds === 0) return;
    this.#pace.pauseAll(seconds);
    this.time.tellWait(`the deployment responded with ${status}`, seconds);
  }

  /**
   * Waits out a 429 by advancing the clock if the limit follows it; otherwise pauses the key. Throws `Unanswered` if
   * the wait is too long or repeated too often.
   */
  async #waitOut(exchange: Sent, lane: string): Promise<void> {
    const seconds = retryAfter(exchange) ?? 1;
    if (seconds > this.#target.pace.maxWaitSeconds) {
      throw new Unanswered(`a 429 asks to wait ${seconds} s, longer than maxWaitSeconds`, exchange);
    }
    if (await this.#pace.waitByClock(lane, exchange, seconds)) return;
    const tooOften = this.#pace.refused(lane, exchange, seconds);
    if (tooOften !== undefined) throw new Unanswered(tooOften, exchange);
    this.time.tellWait(`${lane} is over its rate limit`, seconds);
  }
}

import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Answered, Credential, Exchange } from '../exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { userAgentOf } from '../kit.ts';
import type { RunEvent } from '../result.ts';
import { redactorsOf } from '../target/secrets.ts';
import type { Target } from '../target.ts';
import { Barrier } from './barrier.ts';
import { Budget, NotTested } from './budget.ts';
import { type Call, effectOf, Unanswered } from './call.ts';
import { type Counted, countedAs, mostRepeats } from './ceilings.ts';
import { bearer } from './credentials.ts';
import { Gate } from './gate.ts';
import { isAnswered, reachesImages, refusalCode, saysDispatched } from './image-requests.ts';
import { Ledger } from './ledger.ts';
import { MovedLimits } from './moved-limits.ts';
import { heedOutage } from './outage.ts';
import { prepare } from './prepare.ts';
import { readable } from './readable.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { RunTime } from './run-time.ts';
import { Sender } from './sender.ts';
import { type Reservation, type Settled, Spending, Throttled } from './spending.ts';
import { defaultLimit, rateOfPace, whatUsedTheTime } from './time-limit.ts';
import { realTimer, type Timer } from './timer.ts';

/** What came of sending: it may be sent again; or the clock was moved, as its 429 asked to wait. */
type Sent = Exchange & { again?: boolean; movedFor?: boolean };

/** One time that a call is sent. */
interface Try {
  changes: Effect | undefined;
  reservation: Reservation | undefined;
  /** What may have reached the deployment. */
  sent: Exchange[];
}

/** The only place with I/O: sends, records, paces, repeats where that is safe, and keeps count of what was done. */
export class Session {
  readonly time: RunTime;
  readonly ledger = new Ledger();
  readonly budget: Budget;
  /** Takes the secrets of the target out of what leaves the kit. */
  readonly redact: Redact;
  readonly spending: Spending;
  readonly #target: Target;
  readonly #sender: Sender;
  readonly #limits: MovedLimits;
  readonly #gate: Gate;
  #unwatch: () => void = () => undefined;

  /** @param runId what tells the requests of this run from those of others, in their `User-Agent` */
  constructor(
    target: Target,
    signal: AbortSignal,
    onEvent: (event: RunEvent) => void,
    timer: Timer = realTimer,
    runId?: string,
  ) {
    const { concurrency, requestsPerMinute } = target.pace;
    this.#target = target;
    this.time = new RunTime(timer, target.clock, signal, onEvent);
    this.budget = new Budget(target.allow, signal);
    this.spending = new Spending(this.budget, target.maxImages, target.clock !== undefined, signal);
    this.#gate = new Gate(concurrency, requestsPerMinute, timer);
    this.#limits = new MovedLimits(this.time, target.clock && ((seconds) => this.advance(seconds)));
    // Calls held back by a cap must not outlive an interruption.
    signal.addEventListener('abort', () => this.#gate.open(), { once: true });
    const { whole, all } = redactorsOf(target);
    this.redact = all;
    this.#sender = new Sender(target, whole, signal, this.time, this.spending.balances, userAgentOf(runId));
  }

  get exchanges(): readonly Exchange[] {
    return this.#sender.exchanges;
  }

  /** Tells of each exchange from now on: when it is sent, and when its response was received or will not come. */
  listen(listener: (exchange: Exchange, isOver: boolean) => void): void {
    this.#sender.listeners.push(listener);
  }

  /** Sends nothing more: a check that ended early may have left calls waiting. */
  close(): Promise<void> {
    this.#unwatch();
    this.#gate.open();
    return this.#sender.close();
  }

  /** The credential of a configured role; undefined where it has no key. */
  credential(role: Role): Credential | undefined {
    const key = this.#target.keys[role];
    return key === undefined ? undefined : bearer(key);
  }

  /**
   * Sends a call and returns its answer. An unwanted 429 is waited out and the call repeated, once where it may change
   * something and never where it confirms; a reading call is repeated when its connection breaks before an answer, and
   * after a 5xx. Throws `Unanswered` where no answer came, `NotTested` where an effect is not allowed, or as much was
   * done as the run allows itself.
   */
  async send(call: Call): Promise<Answered> {
    const changes = effectOf(call);
    if (changes !== 'writes') return await this.#send(call, changes);
    // A response that is no refusal may have created the content request, as may a request without a response.
    const declined = (answered: Answered) => refusalCode(answered) !== undefined;
    return await this.budget.createContentRequest(() => this.#send(call, changes), declined);
  }

  async #send(call: Call, changes: Effect | undefined): Promise<Answered> {
    if (changes !== undefined) this.budget.require(changes);
    this.budget.countCalls(countedAs(call.credential), 1);
    // Whoever is after a 429 must not be kept from it.
    const lane = call.wants429 === true ? null : call.credential.label;
    const mostOn429 = changes === undefined ? mostRepeats.on429 : mostRepeats.changingOn429;
    let breaks = 0;
    let failures = 0;
    for (let repeats = 0; ; ) {
      let way: Reservation['way'] | undefined;
      const exchange = await this.#reserving(call, 1, async (reservation, sent) => {
        way = reservation?.way;
        if (changes !== undefined && lane !== null) await this.#limits.makeRoom(lane);
        return await this.#sendInTurn(call, lane, repeats, { changes, reservation, sent });
      });
      if (exchange.answer === null) {
        breaks += 1;
        if (exchange.again !== true || call.once === true || breaks > mostRepeats.onBreak) {
          throw new Unanswered(exchange.problem ?? 'no response', exchange);
        }
        continue;
      }
      const isRepeatable = changes === undefined && call.once !== true;
      if (exchange.answer.status >= 500 && isRepeatable && failures < mostRepeats.on5xx) {
        failures += 1;
        continue;
      }
      if (exchange.answer.status !== 429 || call.wants429 === true) return readable(exchange);
      if (way === 'correct' || way === 'counted') throw new Throttled();
      // What shows whether the limit follows the clock tells nothing of the request.
      if (exchange.movedFor !== true || this.#limits.followed) repeats += 1;
      if (repeats <= mostOn429) continue;
      if (changes === undefined) throw new Unanswered(`still 429 after ${repeats} repetitions`, exchange);
      throw new NotTested('still 429 after one repetition; the run repeats no request with a side effect more often');
    }
  }

  /** Sends a request of this run once more, as it was. */
  repeat(seq: number): Promise<Answered> {
    const call = this.#sender.calls[seq];
    if (call === undefined) throw new Error(`no request ${seq} was sent`);
    return this.send(call);
  }

  async #sendInTurn(
    call: Call,
    lane: string | null,
    repeats: number,
    { changes, reservation, sent }: Try,
  ): Promise<Sent> {
    await this.#gate.enter(lane, repeats > 0 || call.goesFirst === true ? -1 : 0);
    let waitSeconds: number | undefined;
    try {
      // A surprise may have stopped it while it waited.
      if (changes !== undefined) this.budget.require(changes);
      this.spending.require(reservation);
      const exchange: Sent = await this.#sender.send(call, sent, changes !== undefined);
      if (lane !== null && exchange.answer?.status === 429) {
        exchange.movedFor = await this.#moveOn(exchange, lane);
        if (!exchange.movedFor) waitSeconds = this.#holdBack(exchange, lane);
      } else if (exchange.answer !== null) {
        this.#served(exchange, exchange.answer.status);
      }
      return exchange;
    } finally {
      this.#gate.leave(lane, waitSeconds);
    }
  }

  /**
   * Sends the same call several times at one moment; answers in the order of sending. Fewer are sent where they may
   * spend more than is left.
   */
  async sendAtOnce(call: Call, most: number): Promise<Answered[]> {
    const changes = effectOf(call);
    if (changes !== undefined) this.budget.require(changes);
    return await this.#reserving(call, most, async (reservation, sent) => {
      const times = reservation?.runners ?? most;
      this.budget.countCalls(countedAs(call.credential), times);
      await this.#sendTogether(call, times, sent);
      return sent.toSorted((a, b) => a.seq - b.seq).map(readable);
    });
  }

  /** Waits until the rate limit lets one out, and sends all of them then. */
  async #sendTogether(call: Call, times: number, sent: Exchange[]): Promise<void> {
    const lane = call.credential.label;
    await this.#gate.enter(lane);
    try {
      const barrier = new Barrier(times);
      const all = Array.from({ length: times }, () => this.#sender.send(call, sent, true, barrier));
      for (const each of await Promise.allSettled(all)) if (each.status === 'rejected') throw each.reason;
    } finally {
      const [refused] = sent.filter(({ answer }) => answer?.status === 429);
      const seconds = refused && (retryAfterSeconds(refused) ?? 1);
      this.#gate.leave(lane, seconds && Math.min(seconds, this.#target.pace.maxWaitSeconds));
    }
    for (const { answer } of sent.slice(1)) if (answer?.status !== 429) this.#gate.passed(lane);
  }

  /** Reserves the images that a call may cost, while it is sent; `send` notes in `sent` what it sent. */
  async #reserving<T>(
    call: Call,
    times: number,
    send: (reservation: Reservation | undefined, sent: Exchange[]) => Promise<T>,
  ): Promise<T> {
    const { request } = prepare(call, this.#target);
    const sent: Exchange[] = [];
    const intent = { request, by: call.credential, times, elapsedMs: () => this.time.elapsedMs() };
    const note = (settled: Settled | undefined) => this.#note(settled, sent);
    return await this.spending.using(intent, sent, (reservation) => send(reservation, sent), note);
  }

  /** Enters what responses say into the ledger. */
  #note(settled: Settled | undefined, sent: readonly Exchange[]): void {
    for (const exchange of sent.filter(isAnswered)) {
      const { tool } = exchange.request;
      if (settled !== undefined) this.ledger.images(exchange, settled);
      else if (reachesImages(exchange.request) && saysDispatched(exchange)) {
        this.spending.stop('a request without a valid key got the status dispatched');
      } else if (tool === 'content.create_request' && exchange.credential.good) this.ledger.contentRequest(exchange);
    }
  }

  /** Waits real time; rejects when the run is interrupted. */
  async wait(seconds: number, reason: string): Promise<void> {
    await this.time.wait(seconds, reason);
    this.spending.waited(seconds);
  }

  /** Moves the deployment's clock. Throws `Unanswered` where that did not work. */
  async advance(seconds: number): Promise<void> {
    try {
      await this.time.advance(seconds);
    } finally {
      this.#sender.requireTime();
    }
    this.#limits.moved(seconds);
    this.spending.moved(seconds);
    this.#gate.forgetPauses();
  }

  /**
   * Ends the run, by `end`, after so many seconds. Waits for the deployment's time to pass do not count. Without
   * `seconds`, the rates that the keys have shown decide how long the run may take.
   */
  limitTime(mostRequests: ReadonlyMap<Counted, number>, seconds: number | undefined, end: () => void): void {
    const paced = rateOfPace(this.#target.pace);
    const limitOf = () => seconds ?? defaultLimit(mostRequests, (key) => this.#gate.capOf(key) ?? paced);
    this.time.leftMs = () => limitOf() * 1000 - (this.time.elapsedMs() - this.time.waitedMs);
    this.#sender.requireTime = () => {
      if (this.time.leftMs() > 0) return;
      const used = whatUsedTheTime(this.exchanges, this.time.advances, this.time.elapsedMs());
      this.budget.note(`the run reached its longest duration of ${limitOf()} s: ${used}`);
      this.#sender.requireTime = () => undefined;
      this.#unwatch();
      end();
    };
    // A run in which everything waits sends nothing.
    this.#unwatch = this.time.watch(() => this.#sender.requireTime());
  }

  /** An answer that is not a 429; after a 5xx it may be better to wait. */
  #served(exchange: Exchange, status: number): void {
    heedOutage(exchange, this.#gate, this.#sender.patience, this.time, this.#target.pace);
    if (status >= 500) return;
    this.#sender.patience.served(exchange.credential.label);
    this.#limits.served(exchange.credential.label);
  }

  /** Moves the clock instead of waiting, where the limit follows it. */
  async #moveOn(exchange: Exchange, lane: string): Promise<boolean> {
    const seconds = retryAfterSeconds(exchange) ?? 1;
    if (seconds > this.#target.pace.maxWaitSeconds) return false;
    return await this.#limits.pass(lane, exchange, seconds);
  }

  /** Notes that a call has to wait, and gives the seconds. Throws `Unanswered` where that is not to be waited out. */
  #holdBack(exchange: Exchange, lane: string): number {
    const seconds = retryAfterSeconds(exchange) ?? 1;
    if (seconds > this.#target.pace.maxWaitSeconds) {
      throw new Unanswered(`a 429 asks to wait ${seconds} s, longer than maxWaitSeconds`, exchange);
    }
    const endsAt = this.time.elapsedMs() + seconds * 1000;
    const tooOften = this.#sender.patience.toldToWait(lane, exchange.atMs, endsAt, seconds);
    if (tooOften !== undefined) throw new Unanswered(tooOften, exchange);
    exchange.waitedMs = seconds * 1000;
    this.time.tellWait(`${lane} is over its rate limit`, seconds);
    return seconds;
  }
}

import { readingTools } from '../../../fixtures/contract/tools.ts';
import {
  body,
  type Completed,
  type Exchange,
  isCompleted,
  isSuccess,
  type KeyName,
  precedes,
} from '../../exchange/exchange.ts';
import { isDispatch, outcomeOf, presentedId } from './ids.ts';
import { keep, mostKept } from './remember.ts';

/** Time for which the balance must stay constant, as a multiple of the duration of the change. */
export const quietTimes = 3;

/** A balance reading. */
interface BalanceReading {
  readonly exchange: Completed;
  readonly role: KeyName;
  readonly value: number;
}

/** Two readings by one key, and the requests between them. */
export interface Interval {
  readonly from: BalanceReading;
  readonly to: BalanceReading;
  /** Requests of the costly tools that did not dispatch, with both request and response between the readings. */
  readonly harmless: readonly Completed[];
  /** Requests that dispatched, with both request and response between the readings. */
  readonly dispatches: readonly Completed[];
  /** Whether a request between the readings may have spent, other than these dispatches. */
  readonly unclear: boolean;
  /** Whether a request between the readings, or in flight during one of them, may have spent. */
  readonly mayHaveSpent: boolean;
  /** Whether no request of a costly tool was sent between the readings, or was in flight during one of them. */
  readonly quiet: boolean;
  /**
   * Requests of tools that only read, with both request and response between the readings. Empty if the run has
   * presented a confirmation ID, so that a charge for it may come late.
   */
  readonly reads: readonly Completed[];
}

/**
 * Falls by one amount after which it depends on the readings, if one of them took so many times as long as another. It
 * must take long by itself, because another client on a busy machine may spend late.
 */
const equalFalls = 5;
const timesAsLong = 10;
const leastLongMs = 1000;

/** Tools that may change the balance, the second only on servers that violate the specification. */
const costly: readonly (string | null)[] = ['images.generate', 'content.create_request'];

/** Returns the balance in a result of `credits.balance`; undefined for other exchanges. */
export function balanceOf(exchange: Completed): number | undefined {
  const { balance } = body(exchange);
  const read = exchange.request.tool === 'credits.balance' && isSuccess(exchange) && exchange.sender.kind === 'key';
  return read && typeof balance === 'number' ? balance : undefined;
}

/** Balance readings, and the requests that may have changed the balance. */
export class Balances {
  readonly #readings: BalanceReading[] = [];
  readonly #costly: Exchange[] = [];
  readonly #reads: Exchange[] = [];
  #unspent = true;
  readonly #intervals: Interval[] = [];
  readonly #changedByOthers = new Set<KeyName>();
  /** Readings after a change that no other client explains. */
  readonly #controlled = new WeakSet<Completed>();
  readonly #underWay: ReadonlyMap<number, Exchange>;

  constructor(underWay: ReadonlyMap<number, Exchange>) {
    this.#underWay = underWay;
  }

  add(exchange: Exchange): void {
    if (costly.includes(exchange.request.tool)) keep(this.#costly, exchange);
    if (onlyReads(exchange)) keep(this.#reads, exchange);
    this.#unspent &&= presentedId(exchange) === undefined;
    const { role } = exchange.sender;
    if (!isCompleted(exchange) || role === null) return;
    const value = balanceOf(exchange);
    if (value === undefined) return;
    keep(this.#readings, { exchange, role, value });
    const ending = this.endingWith(exchange);
    if (ending === undefined) return;
    // What was read meanwhile matters only now, and would keep many exchanges in memory.
    const interval = { ...ending, reads: [] };
    keep(this.#intervals, interval);
    // Advancing the clock may release what open proposals held back.
    const byOthers = isRise(interval) ? !spansAdvance(interval) : this.#isIdle(interval) && !this.#isLate(interval);
    if (isChange(interval) && byOthers) this.#changedByOthers.add(role);
    // The intervals that show it may be forgotten when a rule asks.
    const change = this.intervalsOf(role).findLast(isChange);
    if (change !== undefined && this.isControlled(change)) this.#controlled.add(change.to.exchange);
  }

  /** Whether the server may have charged for earlier dispatches only now, because the key's balance was outdated. */
  #isLate({ from, to }: Interval): boolean {
    const before = this.#intervals.findLast((other) => other.to.role === to.role && other.to === from);
    return before !== undefined && before.dispatches.length > 0 && !isChange(before);
  }

  /** Whether the run sent nothing that could change the balance of any server. */
  #isIdle({ quiet, from, to }: Interval): boolean {
    const isApart = (other: Exchange) => precedes(other, from.exchange) || precedes(to.exchange, other);
    return quiet && [...this.#reads, ...[...this.#underWay.values()].filter(onlyReads)].every(isApart);
  }

  /**
   * Returns whether the balance stayed constant for long enough after an interval in which it changed. Otherwise,
   * another client may have caused the change.
   */
  isControlled(interval: Pick<Interval, 'from' | 'to'>): boolean {
    const { exchange, role } = interval.to;
    if (this.#controlled.has(exchange)) return true;
    const later = this.intervalsOf(role).filter(({ from }) => !precedes(from.exchange, exchange));
    const change = later.findIndex(isChange);
    const constant = change === -1 ? later : later.slice(0, change);
    // The server reads a balance at any moment between the request and its response.
    return constant.some(({ to }) => msBetween(interval.to, to) >= quietTimes * atMostMs(interval));
  }

  /** Returns whether a balance rose, or changed without a request, so that others spend or top up. */
  isChangedByOthers(reader: 'any' | 'primary'): boolean {
    return reader === 'any' ? this.#changedByOthers.size > 0 : this.#changedByOthers.has(reader);
  }

  /** Returns the intervals between consecutive readings by a key. */
  intervalsOf(role: KeyName): Interval[] {
    return this.#intervals.filter(({ to }) => to.role === role);
  }

  /** Returns the interval that ends with this reading; undefined without an earlier reading by the key. */
  endingWith(exchange: Completed): Interval | undefined {
    return this.#since(exchange, exchange);
  }

  /** Returns the interval that ends with this reading and includes the last such request of a costly tool before it. */
  over(exchange: Completed, isWanted: (other: Completed) => boolean): Interval | undefined {
    const last = this.#costly.findLast((other) => isCompleted(other) && precedes(other, exchange) && isWanted(other));
    return last && this.#since(exchange, last);
  }

  /** Returns the interval that ends with this reading and includes the last reading by another key before it. */
  overOtherKey(exchange: Completed): Interval | undefined {
    const { role } = exchange.sender;
    const last = this.#readings.findLast((other) => other.role !== role && precedes(other.exchange, exchange));
    return last && this.#since(exchange, last.exchange);
  }

  /** Returns the interval from the last reading before `moment` to this reading. */
  #since(exchange: Completed, moment: Exchange): Interval | undefined {
    if (exchange.request.tool !== 'credits.balance') return undefined;
    const to = this.#readings.findLast((other) => other.exchange === exchange);
    const from = this.#readings.findLast(
      (other) => other.exchange !== exchange && other.role === to?.role && precedes(other.exchange, moment),
    );
    if (to === undefined || from === undefined) return undefined;
    const between = this.#costly.filter((other) => !precedes(other, from.exchange) && !precedes(exchange, other));
    // A request without a response so far may already have changed the balance.
    const underWay = [...this.#underWay.values()].filter(
      (other) => costly.includes(other.request.tool) && !precedes(exchange, other),
    );
    const unspent = between.filter(isCompleted).filter(hasSpentNothing);
    const isInside = (other: Exchange) => precedes(from.exchange, other) && precedes(other, exchange);
    const dispatches = between.filter(isInside).filter(isCompleted).filter(isDispatch);
    const [oldest] = this.#costly;
    const isFull = this.#costly.length === mostKept;
    const isForgotten = isFull && oldest !== undefined && precedes(from.exchange, oldest);
    const mayHaveSpent = isForgotten || unspent.length < between.length || !underWay.every(hasSpentNothing);
    // Most requests under way present an invalid ID, so they do not make the charge of a dispatch unclear.
    const unclear = isForgotten || unspent.length + dispatches.length < between.length;
    const quiet = between.length + underWay.length === 0;
    const harmless = unspent.filter(isInside);
    const reads = this.#unspent ? this.#reads.filter(isInside).filter(isCompleted) : [];
    return { from, to, harmless, dispatches, unclear, mayHaveSpent, quiet, reads };
  }

  /**
   * Returns the last readings of the key if the balance fell by one amount from each to the next, however much time
   * lay between them. Spending of others depends on the time, and not on the number of readings.
   */
  fallingByReading(exchange: Completed): BalanceReading[] | undefined {
    const last = this.#intervals.filter(({ to }) => to.role === exchange.sender.role).slice(-equalFalls);
    const falls = new Set(last.map(({ from, to }) => Math.round((from.value - to.value) * 1e6)));
    const isSteady =
      Math.max(Math.min(...last.map(atMostMs)) * timesAsLong, leastLongMs) <= Math.max(...last.map(atLeastMs));
    // Simultaneous readings show one fall several times.
    const isChain = last.every(({ from }, index) => index === 0 || from === last[index - 1]?.to);
    if (last.length < equalFalls || falls.size > 1 || !isSteady || !isChain || last.at(-1)?.to.exchange !== exchange)
      return undefined;
    if (!last.every((interval) => interval.quiet && isFall(interval))) return undefined;
    return last.map(({ to }) => to);
  }

  /** Returns the readings by other keys within an interval. */
  within({ from, to }: Interval): BalanceReading[] {
    return this.#readings.filter(
      ({ exchange, role }) => role !== to.role && precedes(from.exchange, exchange) && precedes(exchange, to.exchange),
    );
  }
}

const onlyReads = ({ request }: Exchange) => readingTools.some((tool) => tool === request.tool);

/** Longest possible time between the moments at which the server read the balances. */
const atMostMs = ({ from, to }: Pick<Interval, 'from' | 'to'>) => to.exchange.receivedAt - from.exchange.sentAt;

/** Shortest possible time between the moments at which the server read the balances. */
const atLeastMs = ({ from, to }: Interval) => msBetween(from, to);

const msBetween = (from: BalanceReading, to: BalanceReading) => to.exchange.sentAt - from.exchange.receivedAt;

/** Whether the balance rose. */
export const isRise = ({ from, to }: Interval) => from.value < to.value;

/** Whether the balance fell. */
export const isFall = ({ from, to }: Interval) => from.value > to.value;

/** Whether the balance rose or fell. */
export const isChange = ({ from, to }: Interval) => from.value !== to.value;

/** Whether the clock was advanced between the readings. */
export const spansAdvance = ({ from, to }: Interval) => from.exchange.clockMoved !== to.exchange.clockMoved;

/** Whether a request certainly spent nothing. A request for an image without a confirmation ID only proposes. */
function hasSpentNothing(exchange: Exchange): boolean {
  if (exchange.request.tool !== 'images.generate') return true;
  const outcome = outcomeOf(exchange);
  if (exchange.request.args === null) return outcome === 'refused' || outcome === 'limited';
  return outcome !== 'dispatched' && (presentedId(exchange) === undefined || outcome !== 'unknown');
}

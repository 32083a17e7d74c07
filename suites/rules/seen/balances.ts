import {
  body,
  type Completed,
  type Exchange,
  isCompleted,
  isSuccess,
  type KeyName,
  precedes,
} from '../../history/exchange.ts';
import { QuietControl } from '../quiet-control.ts';
import { outcomeOf, presentedId } from './ids.ts';

/** A balance that was read. */
export interface Reading {
  readonly exchange: Completed;
  readonly role: KeyName;
  readonly value: number;
}

/** Two readings by one key, one after the other, and what was sent between them. */
export interface Interval {
  readonly from: Reading;
  readonly to: Reading;
  /** Requests of `images.generate` that did not dispatch, each answered between the two. */
  readonly proposals: readonly Completed[];
  /** Something that was sent between them, or was under way, may have spent. */
  readonly mayHaveSpent: boolean;
  /** No request of `images.generate` was sent between them, or was under way. */
  readonly quiet: boolean;
}

const mostRemembered = 200;

/** The number in a result of `credits.balance`; undefined for other exchanges. */
export function balanceOf(exchange: Completed): number | undefined {
  const { balance } = body(exchange);
  const read = exchange.request.tool === 'credits.balance' && isSuccess(exchange) && exchange.sender.kind === 'key';
  return read && typeof balance === 'number' ? balance : undefined;
}

/** Balances that were read, and what may have changed them. */
export class Balances {
  readonly #readings: Reading[] = [];
  readonly #images: Exchange[] = [];
  readonly #disturbed = new Set<KeyName>();
  readonly #controls = new Map<KeyName, QuietControl<Completed>>();
  /** Readings after a change that no other client explains. */
  readonly #controlled = new WeakSet<Completed>();

  add(exchange: Exchange): void {
    if (exchange.request.tool === 'images.generate') keep(this.#images, exchange);
    if (!isCompleted(exchange) || exchange.sender.role === null) return;
    const value = balanceOf(exchange);
    if (value === undefined) return;
    keep(this.#readings, { exchange, role: exchange.sender.role, value });
    const interval = this.endingWith(exchange);
    if (interval === undefined) return;
    const isChanged = interval.from.value !== interval.to.value;
    if (isChanged && (interval.quiet || interval.from.value < interval.to.value)) {
      this.#disturbed.add(exchange.sender.role);
    }
    this.#control(interval, exchange.sender.role, isChanged);
  }

  #control({ from, to, quiet }: Interval, role: KeyName, isChanged: boolean): void {
    const control = this.#controls.get(role) ?? new QuietControl<Completed>();
    this.#controls.set(role, control);
    const { receivedAt } = to.exchange;
    if (!isChanged) {
      const counts = control.stayed(receivedAt);
      if (counts !== undefined) this.#controlled.add(counts);
    } else if (quiet) control.interrupted();
    else control.changed(to.exchange, receivedAt - from.exchange.receivedAt, receivedAt);
  }

  /** Whether the balance stayed the same for long enough after the change that this reading shows. */
  isControlled(exchange: Completed): boolean {
    return this.#controlled.has(exchange);
  }

  /** Whether a balance changed though nothing was sent, or rose: somebody else spends, or tops up. */
  get disturbed(): boolean {
    return this.#disturbed.size > 0;
  }

  /** Whether a key read that itself. */
  disturbedFor(role: KeyName): boolean {
    return this.#disturbed.has(role);
  }

  /** The interval that ends with this reading; undefined where the key read nothing before, or one is under way. */
  endingWith(exchange: Completed): Interval | undefined {
    return this.#since(exchange, exchange);
  }

  /** The interval that ends with this reading and holds the last request of `images.generate` before it. */
  overProposal(exchange: Completed): Interval | undefined {
    const last = this.#images.findLast((each) => isCompleted(each) && precedes(each, exchange));
    return last && this.#since(exchange, last);
  }

  /** The interval that ends with this reading and holds the last one before it by another key. */
  overOtherKey(exchange: Completed): Interval | undefined {
    const { role } = exchange.sender;
    const last = this.#readings.findLast((each) => each.role !== role && precedes(each.exchange, exchange));
    return last && this.#since(exchange, last.exchange);
  }

  /** The interval from the last reading before one moment to this reading. */
  #since(exchange: Completed, moment: Exchange): Interval | undefined {
    if (exchange.request.tool !== 'credits.balance') return undefined;
    const to = this.#readings.findLast((each) => each.exchange === exchange);
    const from = this.#readings.findLast(
      (each) => each.exchange !== exchange && each.role === to?.role && precedes(each.exchange, moment),
    );
    if (to === undefined || from === undefined) return undefined;
    const between = this.#images.filter((each) => !precedes(each, from.exchange) && !precedes(exchange, each));
    const harmless = between.filter((each): each is Completed => isCompleted(each) && hasSpentNothing(each));
    const proposals = harmless.filter((each) => precedes(from.exchange, each) && precedes(each, exchange));
    return { from, to, proposals, mayHaveSpent: harmless.length < between.length, quiet: between.length === 0 };
  }

  /** What other keys read between two readings. */
  within({ from, to }: Interval): Reading[] {
    return this.#readings.filter(
      ({ exchange, role }) => role !== to.role && precedes(from.exchange, exchange) && precedes(exchange, to.exchange),
    );
  }
}

function hasSpentNothing(exchange: Completed): boolean {
  if (exchange.request.args === null) return false;
  const outcome = outcomeOf(exchange);
  return outcome !== 'dispatched' && (presentedId(exchange) === undefined || outcome !== 'unknown');
}

function keep<T>(all: T[], one: T): void {
  all.push(one);
  if (all.length > mostRemembered) all.shift();
}

import { body, type Completed, isSuccess } from '../exchange/exchange.ts';
import { timesToCount } from '../model/finding.ts';
import { QuietControl } from '../model/world/balances.ts';
import type { Target } from '../target/target.ts';
import { NotTested } from './budget.ts';
import { type Call, effectOf } from './call.ts';
import { bearer } from './credentials.ts';

interface Moment {
  readonly read: number;
  readonly free: { readonly begun: number; readonly ended: number };
  readonly confirmations: { readonly begun: number; readonly ended: number };
}

/** Requests that must be free, and confirmations, which may cost credits. */
type Kind = 'free' | 'confirmations';

/** Falls without a confirmation that stop spending. Fewer may be due to other clients. */
const fallsToStop = timesToCount;

/**
 * Detects a balance that falls because of proposals, or because of confirmations that must be refused. Three falls in a
 * row stop spending. They stop it at once if the balance stays the same for long enough after each fall. Otherwise,
 * they stop it before the run presents a confirmation ID. If the balance changes while no request can spend, another
 * client spends, and falls no longer stop spending.
 */
export class BalanceWatch {
  /** Sum of all falls, whoever caused them. */
  #fallen = 0;
  readonly #onFall: (seen: string) => void;
  readonly #onReading: (fallen: number) => void;
  #now: Moment = { read: 0, free: { begun: 0, ended: 0 }, confirmations: { begun: 0, ended: 0 } };
  #last: { value: number; asked: Moment; answered: Moment; read: number; atMs: number } | undefined;
  readonly #control = new QuietControl<string>();
  #falls: string[] = [];
  /** Falls after which the balance stayed the same. */
  #lasting = 0;
  #othersSpend = false;

  /** @param onReading is called with the sum of all falls of the balance */
  constructor(onFall: (seen: string) => void, onReading: (fallen: number) => void = () => undefined) {
    this.#onFall = onFall;
    this.#onReading = onReading;
  }

  begun(kind: Kind): void {
    this.#now = { ...this.#now, [kind]: { ...this.#now[kind], begun: this.#now[kind].begun + 1 } };
  }

  ended(kind: Kind): void {
    this.#now = { ...this.#now, [kind]: { ...this.#now[kind], ended: this.#now[kind].ended + 1 } };
  }

  /** Counters to read right before a request is sent, and to pass to `seen` with its response. */
  get moment(): Moment {
    return this.#now;
  }

  /** Whether a confirmation may have changed the balance since its last reading. */
  get isStale(): boolean {
    return this.#last === undefined || this.#now.confirmations.begun > this.#last.asked.confirmations.ended;
  }

  seen(exchange: Completed, asked: Moment): void {
    const { request, sender, receivedAt } = exchange;
    const { balance } = body(exchange);
    if (request.tool !== 'credits.balance' || sender.role !== 'primary' || !isSuccess(exchange)) return;
    if (typeof balance === 'number') this.#read(balance, asked, receivedAt);
  }

  #read(value: number, asked: Moment, atMs: number): void {
    const before = this.#last;
    const { free, confirmations } = this.#now;
    this.#now = { ...this.#now, read: this.#now.read + 1 };
    this.#last = { value, asked, answered: this.#now, read: this.#now.read, atMs };
    // The order of two simultaneous readings is unknown.
    if (before === undefined || asked.read < before.read) return;
    const maySpend = confirmations.begun > before.asked.confirmations.ended;
    this.#fallen += Math.max(0, before.value - value);
    this.#onReading(this.#fallen);
    const isQuiet = !maySpend && free.begun === before.asked.free.ended;
    // A request in flight during a reading may have been charged before or after it.
    const isCut = before.answered.free.begun > before.asked.free.ended || free.begun > asked.free.ended;
    const fall = `the balance fell from ${before.value} to ${value}`;
    if (isQuiet) this.#othersSpend ||= value !== before.value;
    else if (maySpend || value >= before.value) [this.#falls, this.#lasting] = [[], 0];
    else this.#falls.push(fall);
    if (value === before.value) this.#stayed(atMs);
    else if (isQuiet || maySpend || value > before.value || isCut) this.#control.interrupted();
    else this.#control.changed(fall, atMs - before.atMs, atMs);
  }

  #stayed(atMs: number): void {
    if (this.#control.stayed(atMs) === undefined) return;
    this.#lasting += 1;
    if (this.#lasting >= fallsToStop) this.beforePresenting();
  }

  /** Stops spending if the balance has fallen often enough. Call this before a confirmation ID is presented. */
  beforePresenting(): void {
    const last = this.#falls.at(-1);
    if (this.#falls.length < fallsToStop || last === undefined || this.#othersSpend) return;
    this.#onFall(`${last} while nothing was confirmed`);
  }
}

export function presentsId(call: Call, { maxCredits }: Target): boolean {
  return maxCredits !== undefined && effectOf(call) === 'proposals' && (call.args?.confirmation_id ?? '') !== '';
}

/**
 * Reads the balance if a confirmation may have changed it. The watch then stops spending if the balance has fallen by
 * `maxCredits`. Throws `NotTested` if the balance cannot be read.
 */
export async function readBalance(
  { keys: { primary } }: Target,
  session: { spending: { balances: BalanceWatch }; send(call: Call): Promise<unknown> },
): Promise<void> {
  const { balances } = session.spending;
  if (!balances.isStale) return;
  if (primary === undefined) {
    throw new NotTested('maxCredits needs the balance of primary', [{ kind: 'role', role: 'primary' }]);
  }
  const { read } = balances.moment;
  await session.send({ tool: 'credits.balance', args: {}, credential: bearer(primary) });
  if (balances.moment.read === read) throw new NotTested('maxCredits needs a balance, and the response has none');
}

/** The limit `maxCredits`, and the highest price of an image so far. */
export class CreditCeiling {
  #most: number | undefined;
  #fallen = 0;
  #images = 0;
  #price = 0;

  constructor(most: number | undefined) {
    this.#most = most;
  }

  /**
   * Records a reading of the balance.
   * @param fallen sum of all falls of the balance
   * @param images images that the run has confirmed so far
   */
  read(fallen: number, images: number): void {
    this.#price = Math.max(this.#price, (fallen - this.#fallen) / Math.max(1, images - this.#images));
    [this.#fallen, this.#images] = [fallen, images];
  }

  /** Returns why so many images more could exceed the limit, once; undefined if they could not. */
  exceededBy(images: number): string | undefined {
    const most = this.#most;
    if (most === undefined || this.#fallen + images * this.#price <= most) return undefined;
    this.#most = undefined; // one reason is enough
    const next = `a confirmation of ${images} at ${this.#price} each would exceed maxCredits`;
    return `the balance fell by ${this.#fallen}, and ${next}, which is ${most}`;
  }
}

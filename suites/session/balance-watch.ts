import { type Answered, body, isSuccess } from '../exchange.ts';
import { timesToCount } from '../rules/finding.ts';
import { QuietControl } from '../rules/quiet-control.ts';

/** What has begun and ended so far, counted. */
interface Moment {
  /** Balances that were read. */
  readonly read: number;
  readonly free: { readonly begun: number; readonly ended: number };
  readonly confirmations: { readonly begun: number; readonly ended: number };
}

/** What must cost nothing, and what may cost something. */
type Kind = 'free' | 'confirmations';

/** How often the balance must fall while nothing is confirmed: others may spend now and then. */
const fallsToStop = timesToCount;

/**
 * Watches for a balance that falls because of proposals, or of confirmations that must be refused. Three falls in a row
 * stop the spending: at once if the balance stays the same after each, for longer than the fall took, and otherwise
 * before the run presents a confirmation id. Until then, a reading may show that another client spends: a balance that
 * changes while nothing is sent that could spend. Falls stop nothing after that.
 */
export class BalanceWatch {
  readonly #onFall: (seen: string) => void;
  #now: Moment = { read: 0, free: { begun: 0, ended: 0 }, confirmations: { begun: 0, ended: 0 } };
  #last: { value: number; asked: Moment; answered: Moment; read: number; atMs: number } | undefined;
  readonly #control = new QuietControl<string>();
  #falls: string[] = [];
  /** Falls after which the balance stayed the same. */
  #lasting = 0;
  #othersSpend = false;

  constructor(onFall: (seen: string) => void) {
    this.#onFall = onFall;
  }

  /** Concludes nothing from now on, since others use the account: so do the other shards of a run. */
  expectOthers(): void {
    this.#othersSpend = true;
  }

  begun(kind: Kind): void {
    this.#now = { ...this.#now, [kind]: { ...this.#now[kind], begun: this.#now[kind].begun + 1 } };
  }

  ended(kind: Kind): void {
    this.#now = { ...this.#now, [kind]: { ...this.#now[kind], ended: this.#now[kind].ended + 1 } };
  }

  /** To be asked right before a request is sent, and handed to `seen` with its response. */
  get moment(): Moment {
    return this.#now;
  }

  seen(exchange: Answered, asked: Moment): void {
    const { request, credential } = exchange;
    const { balance } = body(exchange);
    if (request.tool !== 'credits.balance' || credential.role !== 'primary' || !isSuccess(exchange)) return;
    if (typeof balance === 'number') this.#read(balance, asked, exchange.atMs + exchange.durationMs);
  }

  #read(value: number, asked: Moment, atMs: number): void {
    const before = this.#last;
    const { free, confirmations } = this.#now;
    this.#now = { ...this.#now, read: this.#now.read + 1 };
    this.#last = { value, asked, answered: this.#now, read: this.#now.read, atMs };
    // Of two that were read at once nobody knows which is older.
    if (before === undefined || asked.read < before.read) return;
    const maySpend = confirmations.begun > before.asked.confirmations.ended;
    const isQuiet = !maySpend && free.begun === before.asked.free.ended;
    // A request that was under way during a reading may have been charged for before or after.
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

  /** A confirmation id is about to be presented. */
  beforePresenting(): void {
    const last = this.#falls.at(-1);
    if (this.#falls.length < fallsToStop || last === undefined || this.#othersSpend) return;
    this.#onFall(`${last} while nothing was confirmed`);
  }
}

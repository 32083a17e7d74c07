import { type Answered, body, isSuccess } from '../exchange.ts';
import { timesToCount } from '../rules/finding.ts';

/** What has begun and ended so far, counted. */
interface Moment {
  /** Balances that were read. */
  readonly read: number;
  readonly free: { readonly begun: number; readonly ended: number };
  readonly confirmations: { readonly begun: number; readonly ended: number };
}

/** What must cost nothing, and what may cost something. */
type Kind = 'free' | 'confirmations';

/** How often in a row the balance must fall while nothing is confirmed: others may spend now and then. */
const fallsInARow = timesToCount;

/**
 * Tells when the balance falls because of proposals, or of confirmations that must be refused. A balance that changes
 * while nothing is sent that could spend shows that others use the account: then nothing is concluded.
 */
export class BalanceWatch {
  readonly #onFall: (seen: string) => void;
  #now: Moment = { read: 0, free: { begun: 0, ended: 0 }, confirmations: { begun: 0, ended: 0 } };
  #last: { value: number; asked: Moment; read: number } | undefined;
  #falls = 0;
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
    if (typeof balance === 'number') this.#read(balance, asked);
  }

  #read(value: number, asked: Moment): void {
    const before = this.#last;
    const { free, confirmations } = this.#now;
    this.#now = { ...this.#now, read: this.#now.read + 1 };
    this.#last = { value, asked, read: this.#now.read };
    // Of two that were read at once nobody knows which is older.
    if (before === undefined || asked.read < before.read) return;
    const spending = confirmations.begun - before.asked.confirmations.ended;
    if (spending > 0) this.#falls = 0;
    else if (free.begun === before.asked.free.ended) this.#othersSpend ||= value !== before.value;
    else if (value < before.value) this.#fell(before.value, value);
    else this.#falls = 0;
  }

  #fell(from: number, to: number): void {
    this.#falls += 1;
    if (this.#falls < fallsInARow || this.#othersSpend) return;
    this.#onFall(`the balance fell from ${from} to ${to} while nothing was confirmed`);
  }
}

import { type Completed, type Exchange, isCompleted } from '../exchange/exchange.ts';
import { timesToCount } from '../model/finding.ts';
import { Balances, balanceOf, type Interval, isFall } from '../model/world/balances.ts';
import type { Missing } from '../result.ts';
import type { Target } from '../target/target.ts';
import { NotTested } from './budget.ts';
import { type Call, effectOf, hasEnded } from './call.ts';
import { bearer } from './credentials.ts';

/** Falls without a confirmation that stop spending. Fewer may be due to other clients. */
const fallsToStop = timesToCount;

/**
 * Watches the balance of `primary`. Stops spending if the balance falls because of proposals, or because of
 * confirmations that must be refused: at once if the balance stays the same for long enough after each fall, otherwise
 * before the run presents a confirmation ID. Falls stop nothing if another client spends. Also applies `maxCredits`.
 */
export class BalanceWatch {
  readonly #underWay = new Map<number, Exchange>();
  readonly #balances = new Balances(this.#underWay);
  readonly #stop: (seen: string, missing?: readonly Missing[]) => void;
  readonly #images: () => number;
  #mostCredits: number | undefined;
  #last: Completed | undefined;
  /** Sum of all falls, whoever caused them. */
  #fallen = 0;
  /** Highest price of an image so far, and the falls and images that are part of it. */
  #price = { most: 0, fallen: 0, images: 0 };
  /** Confirmations under way, and when the last one ended. */
  #confirmations = { open: 0, endedMs: 0 };

  /** @param images returns the images that the run has confirmed so far */
  constructor(
    mostCredits: number | undefined,
    images: () => number,
    stop: (seen: string, missing?: readonly Missing[]) => void,
  ) {
    this.#mostCredits = mostCredits;
    this.#images = images;
    this.#stop = stop;
  }

  /** Whether a confirmation may have changed the balance since its last reading. */
  get isStale(): boolean {
    const { open, endedMs } = this.#confirmations;
    return this.#last === undefined || open > 0 || this.#last.sentAt < endedMs;
  }

  confirming(): void {
    this.#confirmations.open += 1;
  }

  confirmed(atMs: number): void {
    this.#confirmations = { open: this.#confirmations.open - 1, endedMs: atMs };
  }

  /** Records a request when it is sent, and again when it has ended. */
  see(exchange: Exchange): void {
    if (!hasEnded(exchange)) {
      this.#underWay.set(exchange.number, exchange);
      return;
    }
    this.#underWay.delete(exchange.number);
    this.#balances.add(exchange);
    if (isCompleted(exchange) && exchange.sender.role === 'primary') this.#read(exchange);
  }

  #read(reading: Completed): void {
    const value = balanceOf(reading);
    if (value === undefined) return;
    const before = this.#last;
    this.#last = reading;
    // The order of two simultaneous readings is unknown.
    if (before === undefined || before.receivedAt > reading.sentAt) return;
    this.#fallen += Math.max(0, (balanceOf(before) ?? value) - value);
    const { most, fallen, images } = this.#price;
    const price = (this.#fallen - fallen) / Math.max(1, this.#images() - images);
    this.#price = { most: Math.max(most, price), fallen: this.#fallen, images: this.#images() };
    const lasting = this.#falls.filter((fall) => this.#balances.isControlled(fall));
    if (lasting.length >= fallsToStop) this.#stopFor(lasting);
  }

  /** Falls in a row after requests that must not spend. */
  get #falls(): Interval[] {
    const intervals = this.#balances.intervalsOf('primary').filter(({ quiet }) => !quiet);
    return intervals.slice(intervals.findLastIndex((each) => each.mayHaveSpent || !isFall(each)) + 1);
  }

  #stopFor(falls: readonly Interval[]): void {
    const last = falls.at(-1);
    if (last === undefined || falls.length < fallsToStop || this.#balances.isChangedByOthers('primary')) return;
    this.#stop(`the balance fell from ${last.from.value} to ${last.to.value} while nothing was confirmed`);
  }

  /**
   * Stops spending if the balance has fallen often enough, or if so many images more could exceed `maxCredits`. Call
   * this before a confirmation ID is presented.
   */
  beforePresenting(images: number): void {
    this.#stopFor(this.#falls);
    const [limit, { most: price }] = [this.#mostCredits, this.#price];
    if (limit === undefined || this.#fallen + images * price <= limit) return;
    this.#mostCredits = undefined; // one reason is enough
    const next = `a confirmation of ${images} at ${price} each would exceed maxCredits`;
    const missing = { kind: 'setting', setting: 'maxCredits' } as const;
    this.#stop(`the balance fell by ${this.#fallen}, and ${next}, which is ${limit}`, [missing]);
  }
}

/**
 * Reads the balance before a call that presents a confirmation ID, if `maxCredits` is set and a confirmation may have
 * changed the balance. Throws `NotTested` if the balance cannot be read.
 */
export async function readBalanceBefore(
  call: Call,
  { maxCredits, keys: { primary } }: Pick<Target, 'maxCredits' | 'keys'>,
  { isStale }: BalanceWatch,
  send: (call: Call) => Promise<Completed>,
): Promise<void> {
  const presents = effectOf(call) === 'proposals' && (call.args?.confirmation_id ?? '') !== '';
  if (maxCredits === undefined || !presents || !isStale) return;
  if (primary === undefined) {
    throw new NotTested('maxCredits needs the balance of primary', [{ kind: 'role', role: 'primary' }]);
  }
  const reading = await send({ tool: 'credits.balance', args: {}, credential: bearer(primary) });
  if (balanceOf(reading) === undefined) {
    throw new NotTested('maxCredits needs a balance, and the response has none');
  }
}

import type { Target } from '../target.ts';
import type { BalanceWatch } from './balance-watch.ts';
import { NotTested } from './budget.ts';
import { type Call, effectOf } from './call.ts';
import { bearer } from './credentials.ts';

/** Whether a call presents a confirmation ID in a run with `maxCredits`. */
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

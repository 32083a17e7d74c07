import { NotTested } from './budget.ts';
import type { Shown } from './confirmation-ids.ts';

/** Limits how many things a run creates at a deployment, at worst: what a request may create is reserved before it. */
export class Allowance {
  readonly most: number;
  #made = 0;
  #reserved = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Things left to create if no open reservation is used. */
  get left(): number {
    return Math.max(0, this.most - this.#made);
  }

  /** Things left to create if every open reservation is used. */
  get free(): number {
    return this.left - this.#reserved;
  }

  /** Things that the run may have created, including all open reservations. */
  get atWorst(): number {
    return this.#made + this.#reserved;
  }

  reserve(count: number): void {
    this.#reserved += count;
  }

  /** Ends a reservation. `made` is how many things may have been created. */
  settle(reserved: number, made: number): void {
    this.#reserved -= reserved;
    this.#made += made;
  }
}

/** Most simultaneous requests that present one ID, because each of them may dispatch. */
export const mostRunners = 4;

interface ReservationRequest {
  readonly way: Shown['way'];
  readonly worst: number;
  readonly times: number;
  /** Whether the request contains more than the specification describes. */
  readonly unusual: boolean;
}

/**
 * Plans how many images to reserve for how many requests. Returns `wait` while open reservations may leave room later.
 * Throws `NotTested` if too few images are left.
 */
export function planReservation(
  { way, worst, times, unusual }: ReservationRequest,
  { left, free, most: limit }: Pick<Allowance, 'left' | 'free' | 'most'>,
): { readonly runners: number; readonly images: number } | 'wait' {
  const isProposal = way === 'proposal';
  const least = Math.min(2, times);
  const most = Math.min(times, mostRunners, worst === 0 ? times : Math.floor(left / worst));
  // A proposal must not spend, so it needs no room. It waits for room only while other reservations are open.
  // An unusual one needs room: the server may treat it as confirmed, although it treats others correctly.
  if (isProposal ? unusual && left < worst * times : most < least) {
    const missing = { kind: 'setting', setting: 'maxImages' } as const;
    throw new NotTested(`maxImages is ${limit}, and this request could exceed it`, [missing]);
  }
  if (isProposal) {
    const images = Math.min(worst * times, left);
    return images <= free || free === left ? { runners: times, images } : 'wait';
  }
  const runners = worst === 0 ? most : Math.min(most, Math.floor(free / worst));
  return runners < least || runners < most / 2 ? 'wait' : { runners, images: worst * runners };
}

import { NotTested } from './budget.ts';

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

/**
 * Plans how many images to reserve for how many requests. Returns `wait` while open reservations may leave room later.
 * Throws `NotTested` if too few images are left. A request that must not spend needs no room, but waits for room while
 * other reservations are open.
 */
export function planReservation(
  { cost, times, needsRoom }: { readonly cost: number; readonly times: number; readonly needsRoom: boolean },
  { left, free, most }: Pick<Allowance, 'left' | 'free' | 'most'>,
): { readonly runners: number; readonly images: number } | 'wait' {
  if (!needsRoom) {
    const images = Math.min(cost * times, left);
    return images <= free || free === left ? { runners: times, images } : 'wait';
  }
  const least = Math.min(2, times);
  const within = (images: number) => Math.min(times, mostRunners, cost === 0 ? times : Math.floor(images / cost));
  const [possible, now] = [within(left), within(free)];
  if (possible < least) {
    const missing = { kind: 'setting', setting: 'maxImages' } as const;
    throw new NotTested(`maxImages is ${most}, and this request could exceed it`, [missing]);
  }
  return now < least || now < possible / 2 ? 'wait' : { runners: now, images: cost * now };
}
